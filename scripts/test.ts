import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './bundle/build.ts';
import { check } from './checks.ts';

// `npm test`: everything that must hold before a change is merged, cheapest first. `npm run check` is its first part: of the
// tests only those of single modules (--unit). Stops at the first part that fails.
const root = fileURLToPath(new URL('..', import.meta.url));
const unit = process.argv[2] === '--unit';
const parameters = process.argv.slice(unit ? 3 : 2);

await check(root);
if (!unit) {
  console.log('\n== Pages and program');
  await ensureBuild(root);
}
console.log('\n== Tests');
const tests = spawnSync('vitest', ['run', ...(unit ? ['--project', 'unit'] : []), ...parameters], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(tests.status ?? 1);
