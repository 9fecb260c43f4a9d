import { describe, expect, it } from 'vitest';
import { judgeHoles, judgeSignatures } from './audit-packages.ts';

describe('the audit of third-party packages (T25)', () => {
  it('fails from severity high on, and names package and versions', () => {
    const hole = (severity: string) => ({
      name: 'eins',
      severity,
      isDirect: true,
      via: [],
      range: '<2.0.1',
      nodes: [],
    });
    const holes = (list: object) => judgeHoles(JSON.stringify({ auditReportVersion: 2, vulnerabilities: list }));
    expect(holes({}).state).toBe('good');
    expect(holes({ eins: hole('moderate') }).state).toBe('good');
    expect(holes({ eins: hole('high') })).toEqual({ state: 'bad', said: 'eins <2.0.1 (high)' });
    expect(holes({ eins: hole('moderate'), zwei: hole('critical') }).state).toBe('bad');
  });

  it('fails on a wrong signature, and reports how many packages have none', () => {
    const one = { name: 'eins', version: '2.0.0', registry: 'https://registry.example/', code: 'EINTEGRITYSIGNATURE' };
    expect(judgeSignatures(JSON.stringify({ invalid: [], missing: [] })).state).toBe('good');
    expect(judgeSignatures(JSON.stringify({ invalid: [], missing: [one] })).said).toContain('1 Pakete ohne');
    expect(judgeSignatures(JSON.stringify({ invalid: [one], missing: [] }))).toEqual({
      state: 'bad',
      said: 'falsch: eins@2.0.0',
    });
  });

  it('reports "unknown", never "good", when the registry does not answer properly', () => {
    const refused = JSON.stringify({ message: '405 Method Not Allowed', statusCode: 405, error: { summary: '' } });
    for (const judge of [judgeHoles, judgeSignatures]) {
      expect(judge(refused)).toEqual({ state: 'unknown', said: '405 Method Not Allowed' });
      for (const output of ['', 'kein JSON', '{}', '[]', 'null']) expect(judge(output).state).toBe('unknown');
    }
  });
});
