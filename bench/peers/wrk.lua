-- The figures of wrk in ms, as a line of JSON.
done = function (summary, latency)
  io.write(string.format('{"requests":%d,"p50":%.3f,"p97_5":%.3f,"p99":%.3f,"p99_9":%.3f,"mean":%.3f,"max":%.3f}\n', summary.requests, latency:percentile(50) / 1000,
    latency:percentile(97.5) / 1000, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000, latency.mean / 1000, latency.max / 1000))
end
