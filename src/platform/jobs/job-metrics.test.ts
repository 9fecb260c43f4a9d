import { expect, it } from 'vitest';
import { prometheusMetrics } from '#platform/telemetry/prometheus.ts';
import { jobMetrics } from './job-metrics.ts';

it('the counters of lost leases start at 0, so that the first loss is visible as a rise', async () => {
  const metrics = prometheusMetrics();
  const jobs = jobMetrics(metrics, ['import', 'export']);
  const counts = async () => (await metrics.text()).split('\n').filter((line) => line.includes('_count{'));
  const before = await counts();
  expect(before).toContain('kontor_job_seconds_count{kind="import",outcome="lease-lost"} 0');
  expect(before).toContain('kontor_job_seconds_count{kind="export",outcome="unwritten"} 0');
  expect(before).toHaveLength(4);
  jobs.ended('import', 'lease-lost', 31);
  expect(await counts()).toContain('kontor_job_seconds_count{kind="import",outcome="lease-lost"} 1');
});
