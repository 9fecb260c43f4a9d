import { expect, it } from 'vitest';
import { prometheusMetrics } from '#platform/telemetry/prometheus.ts';
import { jobMetrics } from './job-metrics.ts';

it('the first lease that a process loses is seen as a rise: until then there is a 0 for it', async () => {
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
