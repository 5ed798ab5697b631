/* global __ENV */

import http from 'k6/http'

export default function () { http.get(__ENV.URL) }

export function handleSummary ({ metrics: { http_reqs: requests, http_req_duration: { values }, data_received: data } }) {
  const figures = { count: requests.values.count, bytes: data.values.count, p50: values.med, p99: values['p(99)'] }
  return { stdout: JSON.stringify(figures) }
}

export const options = { summaryTrendStats: ['med', 'p(99)'], insecureSkipTLSVerify: true }
