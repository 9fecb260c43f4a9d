import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const root = new URL('..', import.meta.url);
const Report = z.object({ diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })) });

/** A file that breaks a rule, and one beside it that does the allowed thing. */
const cases: [from: string, forbidden: string, allowed: string][] = [
  ['src/shared/a.ts', '#platform/db.ts', './b.ts'],
  ['src/shared/a.ts', 'node:fs', 'zod'],
  ['src/platform/a.ts', '#items/masters.ts', '#shared/api.ts'],
  ['src/engine/a.ts', '#items/masters.ts', '#shared/rules.ts'],
  ['src/engine/a.ts', '#platform/db.ts', '#platform/sql.ts'],
  ['src/items/a.ts', '#pipeline/pipeline.ts', '#engine/relation.ts'],
  ['src/company/a.ts', '../pipeline/pipeline.ts', '#platform/db.ts'],
  ['src/pipeline/rules/a.ts', '#pipeline/construction/stage.ts', '#engine/relation.ts'],
  ['src/pipeline/rules/a.ts', '../output/write.ts', './store.ts'],
  ['src/pipeline/a.ts', '#company/auth.ts', './rules/stage.ts'],
  ['src/client/a.ts', '#platform/db.ts', '#shared/api.ts'],
  ['src/client/ui/a.ts', '#shared/api.ts', './b.ts'],
  ['src/client/ui/a.ts', '../fields/field-picker.tsx', './b.ts'],
  ['src/client/fields/a.ts', '../screens/rules/rule-manager.tsx', '../ui/b.ts'],
  ['src/client/screens/rules/a.ts', '../items/items.tsx', '../../ui/b.ts'],
  ['src/items/a.ts', '../main.ts', './b.ts'],
  ['src/items/a.ts', 'pg', 'kysely'],
];

describe('import directions', () => {
  it.each(cases)('%s may not import %s, but may import %s', (from, forbidden, allowed) => {
    const folder = mkdtempSync(join(tmpdir(), 'kontor-lint-'));
    const config = z.looseObject({}).parse(JSON.parse(readFileSync(new URL('.oxlintrc.json', root), 'utf8')));
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...config, $schema: undefined, options: {} }));
    const plant = (file: string, target: string) => {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `import { one } from '${target}';\nexport const two = one;\n`);
    };
    plant(from, forbidden);
    plant(from.replace('a.ts', 'good.ts'), allowed);
    const { stdout } = spawnSync('oxlint', ['-f', 'json'], { cwd: folder, encoding: 'utf8' });
    const found = Report.parse(JSON.parse(stdout)).diagnostics.filter(({ code }) =>
      code.includes('no-restricted-imports'),
    );
    rmSync(folder, { recursive: true });
    expect([...new Set(found.map(({ filename }) => filename))]).toEqual([from]);
  });
});
