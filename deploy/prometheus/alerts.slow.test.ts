import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tools } from '../../test/servers/servers.ts';

const here = existsSync(tools.promtool);
const folder = new URL('.', import.meta.url);
const promtool = (...given: string[]) => {
  const { status, stdout, stderr } = spawnSync(tools.promtool, given, { cwd: folder, encoding: 'utf8' });
  return { status, text: stdout + stderr };
};

describe('alerts', () => {
  it.skipIf(!here)('are rules that Prometheus accepts (skipped where promtool is absent)', () => {
    expect(promtool('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 });
  });

  it.skipIf(!here)('fire in the situations they are meant for (skipped where promtool is absent)', () => {
    const { status, text } = promtool('test', 'rules', 'alerts.test.yml');
    expect(text).toContain('SUCCESS');
    expect(status).toBe(0);
  });

  it('each have a test and a line in docs/observability.md that says what to do', () => {
    const read = (path: string) => readFileSync(new URL(path, folder), 'utf8');
    const names = [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    const [tests, document] = [read('alerts.test.yml'), read('../../docs/observability.md')];
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !tests.includes(`alertname: ${name}\n        exp_alerts`))).toEqual([]);
    expect(names.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });
});
