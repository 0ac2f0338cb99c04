// Arrows on the board: the move of a hint, and the best one of the analysis.

const svgSpace = "http://www.w3.org/2000/svg";

function drawArrow({ from, to, kind }) {
    const place = (square) => {
        const [x, y] = [files.indexOf(square[0]), 7 - ranks.indexOf(square[1])];
        return (state.flipped ? [7 - x, 7 - y] : [x, y]).map((number) => number + 0.5);
    };
    const [[x1, y1], [x2, y2]] = [place(from), place(to)];
    const length = Math.hypot(x2 - x1, y2 - y1);
    const arrow = document.createElementNS(svgSpace, "path");
    // Along the x axis, then turned to its squares. The point is in the middle of the target.
    const neck = length - 0.45;
    arrow.setAttribute("d", `M0.2-0.07H${neck}V-0.22L${length} 0L${neck} 0.22V0.07H0.2z`);
    const angle = Math.atan2(y2 - y1, x2 - x1) * 180 / Math.PI;
    arrow.setAttribute("transform", `translate(${x1} ${y1}) rotate(${angle})`);
    arrow.setAttribute("class", kind);
    return arrow;
}

function showArrows() {
    const arrows = [];
    const { evaluation } = state;
    if (isPresent() && !state.game.end && element("analysis").checked && evaluation?.best_move
        && evaluation.ply === state.game.played.length)
        arrows.push({ ...evaluation.best_move, kind: "best" });
    const { from, to } = hintMarks();
    if (from)
        arrows.push({ from, to, kind: "hinted" });
    element("arrows").replaceChildren(...arrows.map(drawArrow));
}
