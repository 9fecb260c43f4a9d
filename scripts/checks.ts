import { spawn } from 'node:child_process';

type Step = readonly [title: string, command: string, ...parameters: string[]];

/** Types of a project, checked again only where something changed since the last check. */
const types = (title: string, project: string): Step => [
  title,
  'tsc',
  '--noEmit',
  '-p',
  `${project}.json`,
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/types/${project}.tsbuildinfo`,
];

/** Checks that need no running program, in two sequences, one per core. */
const rows: readonly (readonly Step[])[] = [
  [
    ['Format', 'oxfmt', '--check', '.'],
    ['Lint, import directions, sizes', 'oxlint', '--deny-warnings'],
  ],
  [
    ['Page types', 'react-router', 'typegen'],
    types('Types of server and tests', 'tsconfig'),
    types('Types of the pages', 'tsconfig.client'),
    ['Unused code', 'knip'],
  ],
];

/** Checks format, lint, types and unused code. Exits the process with 1 if a check failed, after all output was shown. */
export async function check(root: string): Promise<void> {
  const found = await Promise.all(rows.map((row) => runRow(root, row)));
  if (found.includes(false)) process.exit(1);
}

async function runRow(root: string, row: readonly Step[]): Promise<boolean> {
  let clean = true;
  for (const [title, command, ...parameters] of row) {
    const started = performance.now();
    const { code, output } = await run(root, command, parameters);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`== ${title}: ${code === 0 ? 'gut' : 'fehlgeschlagen'} (${seconds} s)`);
    if (code === 0) continue;
    console.error(`${output}\n${title}: fehlgeschlagen (${command} ${parameters.join(' ')})\n`);
    clean = false;
  }
  return clean;
}

function run(root: string, command: string, parameters: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
