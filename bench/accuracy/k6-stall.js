// What k6 sends to a server that stalls: 1,000 requests per second for 10 s from 10 users. Its figures go to stdout as JSON.

/* global __ENV */
import http from 'k6/http'

export const options = {
  scenarios: { load: { executor: 'constant-arrival-rate', rate: 1000, timeUnit: '1s', duration: '10s', preAllocatedVUs: 10 } },
  summaryTrendStats: ['med', 'avg', 'max', 'count', 'p(97.5)', 'p(99)']
}

export default () => { http.get(__ENV.URL) }

export const handleSummary = ({ metrics }) => ({ stdout: JSON.stringify(metrics.http_req_duration.values) })
