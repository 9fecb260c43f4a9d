import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files and folders that the built pages depend on. */
const sources = [
  'src/client',
  'src/shared',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'scripts/icons.ts',
  'scripts/light-calls.ts',
  'scripts/start-styles.ts',
];

/** Builds the pages unless `build/` was built from these very sources. @throws if the build fails */
export function ensureBuild(root: string): void {
  const wanted = hashOf(root);
  if (read(stampOf(root)) === wanted) return;
  console.log('Kontor: Seiten werden gebaut …');
  const result = spawnSync(process.execPath, [join(root, 'node_modules/.bin/react-router'), 'build'], {
    cwd: root,
    encoding: 'utf8',
    // Within a test run, vite.config.ts would behave differently because of this variable.
    env: { ...process.env, NODE_ENV: 'production', VITEST: undefined },
  });
  if (result.status !== 0)
    throw new Error(`Der Bau der Seiten ist fehlgeschlagen:\n${result.stdout}\n${result.stderr}`);
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(stampOf(root), wanted);
}

/** Returns whether there is a build, and whether it matches the present sources. */
export function buildState(root: string): 'current' | 'outdated' | 'absent' {
  const stamp = read(stampOf(root));
  if (stamp === '') return 'absent';
  return stamp === hashOf(root) ? 'current' : 'outdated';
}

const stampOf = (root: string): string => join(root, 'build', 'sources.sha256');

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function hashOf(root: string): string {
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
    .sort();
}
