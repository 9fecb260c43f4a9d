import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { prepareDatabases } from '../../test/stages/global-setup.ts';
import type { Defence } from './defence.ts';
import { defences, unproven } from './defences.ts';

// `npm run check:defences [-- T9 F14]`: removes one defence after the other in a copy of the last commit and requires that its
// test then fails. A test that still passes proves nothing. Prints a table; exits with 1 if one passes.
const root = fileURLToPath(new URL('../..', import.meta.url));
const wanted = process.argv.slice(2);
const folder = join(tmpdir(), `kontor-defences-${randomUUID()}`);
const copy = join(folder, 'copy');
const report = join(folder, 'report.json');

function copyOfCommit(): void {
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, copy]);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // Only tests that request pages read the folder of built pages.
  if (existsSync(join(root, 'build'))) symlinkSync(join(root, 'build'), join(copy, 'build'));
}

/** A changed migration needs its own databases: with those made before the change no program would start. */
function environmentOf(file: string): NodeJS.ProcessEnv {
  const { KONTOR_TEST_TEMPLATE: _, KONTOR_TEST_POSTGRES: __, KONTOR_TEST_OBJECT_STORE: ___, ...own } = process.env;
  return file.startsWith('migrations/') ? own : process.env;
}

const Report = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });
type Counted = { passed: number; failed: number };

/** Runs the test of a defence; a file that cannot be loaded counts as no test. */
function run({ file, test, title, postgres }: Defence): Counted {
  rmSync(report, { force: true });
  const selection = title === '' ? [] : ['-t', title.replaceAll(/[()]/g, String.raw`\$&`)];
  const output = ['--reporter=json', `--outputFile=${report}`];
  const projects = postgres === true ? ['server-postgres'] : ['unit', 'slow', 'server', 'faults'];
  const asked = ['run', test, ...selection, ...projects.flatMap((project) => ['--project', project]), ...output];
  const { error } = spawnSync('vitest', asked, { cwd: copy, stdio: 'ignore', env: environmentOf(file) });
  // Otherwise nothing would run any more, and it would look as if tests were missing.
  if (error !== undefined) throw error;
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const { numPassedTests: passed, numFailedTests: failed } = Report.parse(JSON.parse(readFileSync(report, 'utf8')));
  return { passed, failed };
}

const withDefence = new Map<string, Counted>();

/** Several defences share a test; with the defences in place it needs to run only once. */
function runWith(defence: Defence): Counted {
  const key = `${defence.test}\n${defence.title}\n${defence.postgres ?? false}`;
  const counted = withDefence.get(key) ?? run(defence);
  withDefence.set(key, counted);
  return counted;
}

/** Returns the result for a defence: 'gut' if its test passes with it and fails without it. */
function judge(defence: Defence): string {
  const path = join(copy, defence.file);
  const text = readFileSync(path, 'utf8');
  if (text.split(defence.from).length !== 2) return 'DIE STELLE STEHT NICHT GENAU EINMAL DA';
  const before = runWith(defence);
  if (before.failed > 0) return 'DER TEST SCHEITERT SCHON MIT DER ABWEHR';
  if (before.passed === 0) return 'nicht gelaufen: dem Test fehlt hier etwas';
  try {
    writeFileSync(
      path,
      text.replace(defence.from, () => defence.to),
    );
    const after = run(defence);
    if (after.failed > 0) return 'gut';
    return after.passed > 0 ? 'DER TEST MERKT NICHTS' : 'OHNE DIE ABWEHR LÄUFT KEIN TEST';
  } finally {
    writeFileSync(path, text);
  }
}

const isWanted = ({ threat }: { threat: string }): boolean => wanted.length === 0 || wanted.includes(threat);
const line = (...[threat, what, test, seconds, verdict]: readonly [string, string, string, string, string]) =>
  console.log(`${threat.padEnd(5)}${what.padEnd(76)}${test.padEnd(40)}${seconds.padStart(4)}  ${verdict}`);

async function check(): Promise<void> {
  const counts = { good: 0, bad: 0, absent: 0 };
  const stopDatabases = await prepareDatabases();
  try {
    mkdirSync(folder, { mode: 0o700 });
    copyOfCommit();
    line('', 'Abwehr', 'Test', 's', '');
    for (const defence of defences.filter(isWanted)) {
      const started = performance.now();
      const verdict = judge(defence);
      counts[verdict === 'gut' ? 'good' : verdict.startsWith('nicht') ? 'absent' : 'bad']++;
      const seconds = ((performance.now() - started) / 1000).toFixed(0);
      line(defence.threat, defence.what, defence.test.split('/').slice(-2).join('/'), seconds, verdict);
    }
    for (const { threat, why } of unproven.filter(isWanted)) line(threat, 'nicht so zu beweisen', '', '', why);
  } finally {
    await stopDatabases();
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(`\n${counts.good} gut, ${counts.bad} schlecht, ${counts.absent} nicht gelaufen`);
  // A defence whose test did not run is not proved.
  process.exitCode = counts.bad + counts.absent === 0 ? 0 : 1;
}

if (import.meta.main) await check();
