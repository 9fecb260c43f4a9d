import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const Package = z.object({ version: z.string() });

/** The version of a built program (scripts/bundle/build-program.ts); not declared where the sources run. */
declare const PROGRAM_VERSION: string;

const versions = new Map<string, string>();

/**
 * Names the running program: its version, and a hash over the sources that the server runs and the pinned packages. Any changed
 * line is another version. `root` is the project's folder. Read once: later changes on the disk do not run.
 */
export function programVersion(root: string): string {
  if (typeof PROGRAM_VERSION !== 'undefined') return PROGRAM_VERSION;
  const version = versions.get(root) ?? readVersion(root);
  versions.set(root, version);
  return version;
}

function readVersion(root: string): string {
  const hash = createHash('sha256');
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[cm]?ts$/.test(name) && !name.endsWith('.test.ts') && !name.startsWith('client'))
    .sort();
  for (const name of sources)
    hash
      .update(name)
      .update('\0')
      .update(readFileSync(join(root, 'src', name)));
  hash.update(readFileSync(join(root, 'package-lock.json')));
  const { version } = Package.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  return `${version}+${hash.digest('hex').slice(0, 8)}`;
}
