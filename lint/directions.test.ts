import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import config from '../oxlint.config.ts';
import { directionOverrides } from './directions.ts';

/** Folders of future subjects: the directions must cover them without naming them. */
const folders = {
  nouns: ['rules', 'items'],
  marketplaces: ['accounts', 'contract', 'amazon', 'sandbox', 'tiny'],
};

const Report = z.object({
  diagnostics: z.array(z.object({ code: z.string(), filename: z.string(), help: z.string().optional() })),
});

/** A folder, an import that breaks a direction there, and one that is allowed. */
const cases: readonly [folder: string, forbidden: string, allowed: string][] = [
  ['src/shared/rules', '#platform/db/database.ts', './b.ts'],
  ['src/shared/rules', 'node:fs', 'zod'],
  ['src/shared/rules', 'pg', 'zod'],
  ['src/platform/http', '#catalogue/masters.ts', '#shared/http/api.ts'],
  ['src/platform/http', 'pg', '#platform/db/database.ts'],
  ['src/platform/http', 'undici', '#platform/egress/egress.ts'],
  ['src/platform/db', '#auth/auth.ts', 'pg'],
  ['src/platform/db', 'node:net', 'pg'],
  ['src/platform/egress', '#feed/runs/runs.ts', 'undici'],
  ['src/platform/egress', 'pg', 'node:net'],
  ['src/platform/storage', 'undici', '#platform/storage/s3/bucket.ts'],
  ['src/platform/storage/s3', 'pg', 'undici'],
  ['src/platform/storage/s3', '#catalogue/masters.ts', 'undici'],
  ['src/platform/telemetry', 'undici', '#platform/telemetry/otlp/span-queue.ts'],
  ['src/platform/telemetry/otlp', 'pg', 'undici'],
  ['src/platform/telemetry/otlp', '#catalogue/masters.ts', 'undici'],
  ['src/engine/duckdb', '#catalogue/masters.ts', '#shared/rules/schema.ts'],
  ['src/engine/duckdb', '#platform/db/database.ts', '#platform/duckdb/sql.ts'],
  ['src/engine/duckdb', '#platform/duckdb/duckdb.ts', '#platform/duckdb/sql.ts'],
  ['src/engine/ir', 'node:fs', './b.ts'],
  ['src/catalogue', '#feed/plan/build.ts', '#engine/duckdb/relation.ts'],
  ['src/catalogue', '#main.ts', './b.ts'],
  ['src/catalogue', '../auth/auth.ts', './b.ts'],
  ['src/auth', '#company/first-start.ts', '#platform/db/database.ts'],
  ['src/company', '#feed/plan/build.ts', '#auth/auth.ts'],
  ['src/operations/backup', '#feed/runs/runs.ts', '#catalogue/masters.ts'],
  ['src/operations/backup', 'undici', 'node:http'],
  ['src/operations/backup', 'pg', '#platform/db/database.ts'],
  ['src/notifications', '#feed/runs/runs.ts', '#catalogue/exports.ts'],
  ['src/notifications', '#marketplaces/amazon/client.ts', '#marketplaces/port.ts'],
  ['src/live', '#feed/runs/runs.ts', '#notifications/notifications.ts'],
  ['src/marketplaces/accounts', '#repricer/decide/decide.ts', '#catalogue/masters.ts'],
  ['src/marketplaces/accounts', '#marketplaces/amazon/open.ts', '#marketplaces/port.ts'],
  ['src/marketplaces/sandbox', '#marketplaces/amazon/client.ts', 'node:http'],
  ['src/marketplaces/amazon', '#marketplaces/sandbox/world.ts', '#platform/egress/egress.ts'],
  ['src/marketplaces/amazon', '#repricer/decide/decide.ts', '#marketplaces/port.ts'],
  ['src/marketplaces/tiny', '#marketplaces/amazon/client.ts', '#platform/crypto/aws-signature.ts'],
  ['src/marketplaces/amazon', '#marketplaces/tiny/kind.ts', '#platform/crypto/aws-signature.ts'],
  ['src/marketplaces/contract', '#marketplaces/tiny/kind.ts', '#marketplaces/port.ts'],
  ['src/repricer/outbox', '#marketplaces/tiny/kind.ts', '#marketplaces/port.ts'],
  ['src/feed/export', '#repricer/decide/decide.ts', '#marketplaces/accounts/accounts.ts'],
  ['src/feed/export', '#marketplaces/amazon/open.ts', '#feed/plan/build.ts'],
  ['src/feed/export', '#feed/stages/rules/stage.ts', '#feed/stages/rules/store.ts'],
  ['src/feed/plan', '#feed/export/job.ts', '#feed/stages/rules/stage.ts'],
  ['src/feed/plan', '#feed/schedule/store.ts', '#feed/stages/output/cells.ts'],
  ['src/feed/stages/rules', '#feed/stages/construction/stage.ts', '#engine/duckdb/relation.ts'],
  ['src/feed/stages/output', '#feed/stages/validation/stage.ts', '#feed/stages/output/formats/csv.ts'],
  ['src/feed/stages/construction', '#feed/plan/build.ts', './store.ts'],
  ['src/feed/delivery/upload', '#repricer/decide/decide.ts', 'node:net'],
  ['src/repricer/decide', '#feed/plan/build.ts', '#repricer/gate/gate.ts'],
  ['src/repricer/decide', '#marketplaces/amazon/prices.ts', '#marketplaces/port.ts'],
  ['src/orders/intake', '#repricer/decide/decide.ts', '#marketplaces/port.ts'],
  ['src/client/fields', '#platform/db/database.ts', '#shared/http/api.ts'],
  ['src/client/screens/rules', 'node:fs', '#client/ui/rows/sortable-rows.tsx'],
  ['src/client/ui/rows', '#shared/http/api.ts', '#client/ui/badge.tsx'],
  ['src/client/ui/rows', '#client/fields/priority.tsx', './b.ts'],
  ['src/client/live-components', '#client/shell/session.ts', '#client/call.ts'],
  ['src/client/editor', '#client/fields/priority.tsx', '#client/ui/badge.tsx'],
  ['src/client/fields', '#client/screens/rules/rule-manager.tsx', '#client/editor/save-bar.tsx'],
  ['src/client/screens/rules', '#client/screens/items/items.tsx', '#client/screens/rules/form/conditions.tsx'],
  ['src/client/shell', '#client/screens/items/items.tsx', '#client/ui/badge.tsx'],
];

describe('import directions', () => {
  let folder = '';
  const said = new Map<string, string>();

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kontor-lint-'));
    writeFileSync(
      join(folder, '.oxlintrc.json'),
      JSON.stringify({
        ...config,
        options: {},
        categories: {},
        rules: {},
        overrides: [...config.overrides, ...directionOverrides(folders)],
      }),
    );
    const plant = (file: string, target: string) => {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `import { one } from '${target}';\nexport const two = one;\n`);
    };
    for (const [index, [from, forbidden, allowed]] of cases.entries()) {
      plant(`${from}/bad-${index}.ts`, forbidden);
      plant(`${from}/good-${index}.ts`, allowed);
    }
    plant('src/repricer/gate/gate.ts', './gate-facts.ts');
    plant('src/feed/rule-editing/effect-routes.ts', './counts.ts');
    plant('src/feed/impact/routes.ts', './rule-impact.ts');
    const { stdout } = spawnSync('oxlint', ['-f', 'json'], { cwd: folder, encoding: 'utf8' });
    for (const { code, filename, help } of Report.parse(JSON.parse(stdout)).diagnostics)
      if (code.includes('no-restricted-imports')) said.set(filename, help ?? '');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(cases.map((one, index) => [...one, index] as const))(
    '%s may not import %s, but may import %s',
    (from, _forbidden, _allowed, index) => {
      expect(said.get(`${from}/bad-${index}.ts`)).toBeTruthy();
      expect(said.get(`${from}/good-${index}.ts`)).toBeUndefined();
    },
  );

  it('the gate imports nothing', () => {
    expect(said.get('src/repricer/gate/gate.ts')).toContain('The gate shares no code');
  });

  it.each(['src/feed/rule-editing/effect-routes.ts', 'src/feed/impact/routes.ts'])(
    '%s may not compile queries over whole lists of rules itself',
    (file) => {
      expect(said.get(file)).toContain('compiled in the child process');
    },
  );

  it('every message of the import rules was triggered by a planted violation', () => {
    const sentences = directionOverrides(folders).flatMap(({ rules }) =>
      rules['no-restricted-imports'][1].patterns.map(({ message }) => message),
    );
    expect([...new Set(sentences)].filter((sentence) => ![...said.values()].includes(sentence))).toEqual([]);
  });
});
