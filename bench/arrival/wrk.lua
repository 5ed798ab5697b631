-- The percentiles of wrk in ms, as a line of JSON.
done = function (summary, latency)
  io.write(string.format('{"p50":%.3f,"p99":%.3f,"p99_9":%.3f}\n', latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000))
end
