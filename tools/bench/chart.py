"""A line chart as SVG."""
import math
from html import escape

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 80, 30, 50, 60


def number(value):
    """A number as a label has it: 0.05, 16, 4.9 M."""
    for limit, unit in ((1e9, " G"), (1e6, " M"), (1e4, " k")):
        if value >= limit:
            return f"{value / (1e3 if unit == ' k' else limit):.3g}{unit}"
    return f"{value:.4g}"


def ticks(lowest, highest, log):
    """Round values for the lines of an axis: powers of ten that hold all values between them, or
    multiples of 1, 2 or 5 times a power of ten from 0 to at least the highest."""
    if log:
        first, last = math.floor(math.log10(lowest)), math.ceil(math.log10(highest))
        return [10.0 ** power for power in range(first, max(last, first + 1) + 1)]
    power = 10.0 ** math.floor(math.log10(highest))
    step = next(power * factor for factor in (0.1, 0.2, 0.5, 1, 2)
                if math.ceil(highest / (power * factor)) <= 6)
    return [step * i for i in range(math.ceil(highest / step) + 1)]


class Axis:
    """Maps values to a distance in pixels from the axis' beginning."""

    def __init__(self, first, last, length, log=False):
        self.scale = math.log if log else float
        self.first, self.last = self.scale(first), self.scale(last)
        self.length = length

    def at(self, value):
        if self.last == self.first:
            return self.length / 2
        return (self.scale(value) - self.first) / (self.last - self.first) * self.length


def text(x, y, words, anchor="middle"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{escape(str(words))}</text>'


def draw(points, labels, log_x=False, log_y=False, errors=()):
    """The chart of (x, y) points, x rising; `labels` are the title, that of x and that of y. All
    values are above 0, or on a linear axis at least 0. `errors`, if given, has half the length of
    each point's error bar, which is drawn within the chart."""
    title, x_label, y_label = labels
    xs, ys = zip(*points)
    rows = ticks(min(ys), max(map(sum, zip(ys, errors)), default=max(ys)), log_y)
    across = Axis(xs[0], xs[-1], WIDTH - LEFT - RIGHT, log_x)
    up = Axis(rows[0], rows[-1], HEIGHT - TOP - BOTTOM, log_y)
    places = [(LEFT + across.at(x), HEIGHT - BOTTOM - up.at(y)) for x, y in points]

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             text(WIDTH / 2, 24, title), text(WIDTH / 2, HEIGHT - 14, x_label),
             text(LEFT, TOP - 10, y_label)]
    for value in rows:
        y = HEIGHT - BOTTOM - up.at(value)
        parts += [f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>',
                  text(LEFT - 8, y + 4, number(value), "end")]
    for (x, _), value in zip(places, xs):
        parts += [f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#eee"/>',
                  text(x, HEIGHT - BOTTOM + 18, number(value))]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#1565c0" stroke-width="2"/>')
    for (x, _), y, error in zip(places, ys, errors):
        low, high = (HEIGHT - BOTTOM - up.at(max(y + shift, rows[0])) for shift in (-error, error))
        parts.append(f'<path d="M{x:.1f} {low:.1f}V{high:.1f}" stroke="#1565c0"/>')
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#1565c0"/>' for x, y in places]
    return "\n".join([*parts, "</svg>", ""])
