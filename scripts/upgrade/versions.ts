import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A version of the program: it is started and called by the modules of its own checkout. */
export type Version = {
  readonly name: 'alt' | 'neu';
  readonly root: string;
  readonly startProgram: typeof import('../../test/stages/program.ts').startProgram;
  readonly kill: typeof import('../../test/stages/program.ts').kill;
  readonly clientOf: typeof import('../../test/stages/client.ts').clientOf;
  readonly api: typeof import('../../src/shared/http/api.ts').api;
  readonly pathOf: typeof import('../../src/shared/http/call.ts').pathOf;
};

const git = (root: string, ...given: string[]): string =>
  execFileSync('git', given, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 30 }).trim();

/** Returns the commit before the newest migration was added. @throws if the history is incomplete */
export function commitBeforeNewestMigration(root: string): string {
  const newest = readdirSync(join(root, 'migrations'))
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .toSorted()
    .at(-1);
  const added = git(root, 'log', '--diff-filter=A', '--format=%H', '--', `migrations/${newest}`).split('\n').at(-1);
  // Added but not committed yet: then the last commit does not contain it.
  return git(root, 'rev-parse', '--verify', added === undefined || added === '' ? 'HEAD' : `${added}^`);
}

/** Returns the full name of a commit, and its subject. @throws if git does not know it */
export function commitOf(root: string, ref: string): { commit: string; subject: string } {
  const commit = git(root, 'rev-parse', '--verify', `${ref}^{commit}`);
  return { commit, subject: git(root, 'log', '-1', '--format=%h %s', commit) };
}

/** Copies the files of a commit to `folder`, with the packages of its lock file. */
export function copyOf(root: string, commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = execFileSync('git', ['archive', '--format=tar', commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: files });
  const lockOf = (place: string) => readFileSync(join(place, 'package-lock.json'), 'utf8');
  if (lockOf(root) === lockOf(folder)) {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return;
  }
  const { status } = spawnSync(process.execPath, ['scripts/bootstrap.cjs'], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm ci der alten Fassung ist gescheitert');
}

/** Loads the modules that start and call the version in `root`. */
export async function loadVersion(name: Version['name'], root: string): Promise<Version> {
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(root, path)).href);
  const modules = await Promise.all([
    load('test/stages/program.ts'),
    load('test/stages/client.ts'),
    load('src/shared/http/api.ts'),
    load('src/shared/http/call.ts'),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of another checkout: if they differ, calling them fails
  return Object.assign({ name, root }, ...modules) as Version;
}
