import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Locks the data folder for this process. Two embedded databases on one folder lose acknowledged writes silently (F8), so a
 * second start must fail at once. The lock of a dead process is taken over; that of a living process never. Returns the function
 * that unlocks the folder.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'kontor.lock');
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const handle = openSync(file, 'wx', 0o600);
      writeSync(handle, `${process.pid} ${startOf(process.pid)}`);
      closeSync(handle);
      return () => {
        if (ownerOf(file)?.pid === process.pid) unlinkSync(file);
      };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      if (isLocked(folder)) {
        throw new Error(
          `Der Datenordner ${folder} wird bereits von einem laufenden Kontor benutzt (Prozess ${ownerOf(file)?.pid}). ` +
            'Bitte jenes beenden oder mit KONTOR_DATA einen anderen Ordner wählen.',
          { cause: error },
        );
      }
      unlinkSync(file);
    }
  }
  throw new Error(`Der Datenordner ${folder} ließ sich nicht sperren. Bitte erneut starten.`);
}

/** Whether a living process has locked the folder. */
export function isLocked(folder: string): boolean {
  const owner = ownerOf(join(folder, 'kontor.lock'));
  return owner !== undefined && owner.start !== '' && startOf(owner.pid) === owner.start;
}

function ownerOf(file: string): { pid: number; start: string } | undefined {
  try {
    const [pid, start = ''] = readFileSync(file, 'utf8').split(' ');
    return Number(pid) > 0 ? { pid: Number(pid), start } : undefined;
  } catch {
    return undefined;
  }
}

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
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
