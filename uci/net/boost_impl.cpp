// What of Boost.Asio and Boost.Beast needs to be compiled only once.
#include <boost/asio/impl/src.hpp>
#include <boost/beast/src.hpp>
