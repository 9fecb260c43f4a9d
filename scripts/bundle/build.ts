import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files and folders that the built pages depend on. */
const pageSources = [
  'src/client',
  'src/shared',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'scripts/bundle/fetched-first.ts',
  'scripts/bundle/icons.ts',
  'scripts/bundle/light-calls.ts',
  'scripts/bundle/start-styles.ts',
];

/** The files and folders that the built program depends on; of `src` without pages and tests. */
const programSources = ['src', 'seed', 'package.json', 'package-lock.json', 'scripts/bundle/build-program.ts'];

/** A program that runs may need its files until it ends, so those last started stay. */
const KEPT_PROGRAMS = 3;

/**
 * Builds what was not built from these very sources: the pages in `build/client` and `build/server`, the program in a folder of
 * its own. Returns the file that runs the program. @throws if a build fails
 */
export async function ensureBuild(root: string): Promise<string> {
  const [, program] = await Promise.all([ensurePages(root), ensureProgram(root)]);
  return join(program, 'run.js');
}

async function ensurePages(root: string): Promise<void> {
  const wanted = hashOf(root, pageSources);
  if (read(stampOf(root)) === wanted) return;
  console.log('Kontor: Seiten werden gebaut …');
  await run(root, [join('node_modules', '.bin', 'react-router'), 'build'], 'Der Bau der Seiten');
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(stampOf(root), wanted);
}

async function ensureProgram(root: string): Promise<string> {
  const programs = join(root, 'build', 'program');
  const folder = join(programs, hashOf(root, programSources).slice(0, 12));
  if (existsSync(folder)) {
    keepLonger(folder);
    return folder;
  }
  await run(root, [join('scripts', 'bundle', 'build-program.ts'), folder], 'Der Bau des Programms');
  const built = readdirSync(programs)
    // Those are still being built.
    .filter((name) => !name.endsWith('.tmp'))
    .map((name) => join(programs, name))
    .map((path) => ({ path, used: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.used - one.used);
  for (const { path } of built.slice(KEPT_PROGRAMS)) rmSync(path, { recursive: true, force: true });
  return folder;
}

/** Counts a folder as one of the latest again. An installation that may only be read builds nothing, and deletes nothing. */
function keepLonger(folder: string): void {
  try {
    utimesSync(folder, new Date(), new Date());
  } catch {
    // Read-only.
  }
}

/** Returns whether there are built pages, and whether they match the present sources. */
export function buildState(root: string): 'current' | 'outdated' | 'absent' {
  const stamp = read(stampOf(root));
  if (stamp === '') return 'absent';
  return stamp === hashOf(root, pageSources) ? 'current' : 'outdated';
}

const stampOf = (root: string): string => join(root, 'build', 'sources.sha256');

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Runs a script of the project to its end; `subject` begins the sentence of a failure. */
async function run(root: string, parameters: string[], subject: string): Promise<void> {
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Within a test run, Vite would behave differently because of the second variable.
    env: { ...process.env, NODE_ENV: 'production', VITEST: undefined },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${subject} ist fehlgeschlagen:\n${output}`);
}

function hashOf(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesOf(root, source))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function filesOf(root: string, source: string): string[] {
  if (/\.\w+$/.test(source)) return [source];
  return readdirSync(join(root, source), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath.slice(root.length), entry.name))
    .map((file) => file.replace(/^[\\/]/, ''))
    .filter((file) => source !== 'src' || !/^src[\\/]client[\\/]|\.test\.ts$/.test(file))
    .sort();
}
