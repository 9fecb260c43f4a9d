import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './build.ts';

// `npm test`: everything that must hold before a change lands, cheapest first. Stops at the first failure.
const root = fileURLToPath(new URL('..', import.meta.url));
const steps: [string, string, string[]][] = [
  ['Format', 'oxfmt', ['--check', '.']],
  ['Lint, import directions, sizes', 'oxlint', ['--deny-warnings']],
  ['Page types', 'react-router', ['typegen']],
  ['Types of server and tests', 'tsc', ['--noEmit', '-p', 'tsconfig.json']],
  ['Types of the pages', 'tsc', ['--noEmit', '-p', 'tsconfig.client.json']],
  ['Unused code', 'knip', []],
];

for (const [title, command, parameters] of steps) run(title, command, parameters);
console.log('\n== Pages');
ensureBuild(root);
run('Tests', 'vitest', ['run', ...process.argv.slice(2)]);

function run(title: string, command: string, parameters: string[]): void {
  console.log(`\n== ${title}`);
  const result = spawnSync(command, parameters, { cwd: root, stdio: 'inherit', env: process.env });
  if (result.status === 0) return;
  console.error(`\n${title}: fehlgeschlagen (${command} ${parameters.join(' ')})`);
  process.exit(result.status ?? 1);
}
