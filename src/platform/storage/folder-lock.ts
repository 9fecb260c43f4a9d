import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGone } from './files.ts';

/** A folder is locked by a living process, or by processes that take over its lock at this moment. */
export class FolderInUse extends Error {}

/** How long two processes that take over the same lock may differ about its owner. */
const SETTLE_MS = 50;

/**
 * Locks the data folder for this process. Two embedded databases on one folder lose acknowledged writes silently (F8), so a
 * second start must fail at once. The lock of a dead process is taken over; that of a living process never, even if several
 * processes start at the same moment. Returns the function that unlocks the folder.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'kontor.lock');
  const own = `${file}.${process.pid}`;
  const content = `${process.pid} ${startOf(process.pid)}`;
  writeFileSync(own, content, { mode: 0o600 });
  let tookOver = false;
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      if (isCreated(file, own, content)) {
        if (tookOver) sleep(SETTLE_MS);
        if (contentOf(file) !== content) throw inUse(folder);
        return () => {
          if (contentOf(file) === content) rmSync(file, { force: true });
        };
      }
      const found = contentOf(file);
      if (found === undefined) continue;
      if (isOwnedBy(found)) throw inUse(folder);
      removeStale(file, found, `${own}.old`);
      tookOver = true;
    }
  } finally {
    rmSync(own, { force: true });
  }
  throw new FolderInUse(`Der Datenordner ${folder} ließ sich nicht sperren. Bitte erneut starten.`);
}

const inUse = (folder: string) =>
  new FolderInUse(
    `Der Datenordner ${folder} wird bereits von einem laufenden Kontor benutzt (Prozess ${contentOf(join(folder, 'kontor.lock'))?.split(' ')[0] ?? ''}). ` +
      'Bitte jenes beenden oder mit KONTOR_DATA einen anderen Ordner wählen.',
  );

/** Whether a living process has locked the folder. */
export function isLocked(folder: string): boolean {
  const content = contentOf(join(folder, 'kontor.lock'));
  return content !== undefined && isOwnedBy(content);
}

/** Creates the lock together with its content, so that nobody sees it without an owner; false if it exists. */
function isCreated(file: string, own: string, content: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
  }
  // A file system without hard links.
  try {
    writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Removes the lock of a dead process. If another process has just taken it over, that one keeps it. */
function removeStale(file: string, stale: string, moved: string): void {
  try {
    renameSync(file, moved);
    if (readFileSync(moved, 'utf8') !== stale) linkSync(moved, file);
  } catch (error) {
    // Another process was faster.
    if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error;
  }
  rmSync(moved, { force: true });
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Whether the process that wrote this lock is running. */
function isOwnedBy(content: string): boolean {
  const [pid = '', start = ''] = content.split(' ');
  return Number(pid) > 0 && start !== '' && startOf(Number(pid)) === start;
}

const sleep = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.some((code) => code === error.code);

/** Returns when a process started, so that a reused process id is not taken for the old owner; '' if it is not running. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return isAlive(pid) ? 'alive' : '';
  }
}

/** For systems without /proc. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
