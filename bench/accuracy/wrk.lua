-- What wrk does not print by itself: the 97.5th percentile, and all of them in µs.
done = function (summary, latency)
  io.write(string.format('figures %d %d %d %d %.0f %d\n', summary.requests, latency:percentile(50),
    latency:percentile(97.5), latency:percentile(99), latency.mean, latency.max))
end
