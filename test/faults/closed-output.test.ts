import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { databaseTemplate } from '../stages/kontor.ts';
import { shortLived } from '../stages/program.ts';

/** Returns a port that was free a moment ago: the program's output, which would name its own, is not read here. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

it('serves and ends on SIGTERM although nobody reads its output', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-output-'));
  if (databaseTemplate !== undefined) cpSync(databaseTemplate, join(folder, 'database'), { recursive: true });
  const port = await freePort();
  const child = spawn(process.execPath, [...shortLived, 'src/run.ts'], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Its first line is the address, not one of the log.
    env: { ...process.env, PORT: String(port), KONTOR_DATA: folder, KONTOR_DEMO: '0', KONTOR_LOG: 'error' },
  });
  child.stdout.destroy();
  child.stderr.destroy();
  try {
    const status = async () => {
      expect(child.exitCode).toBeNull();
      const signal = AbortSignal.timeout(2000);
      return fetch(`http://127.0.0.1:${port}/api/session`, { signal }).then(
        (answer) => answer.status,
        () => 0,
      );
    };
    await expect.poll(status, { timeout: 30_000, interval: 200 }).toBe(401);
    // By now it has written its address.
    await expect.poll(status, { timeout: 5000, interval: 200 }).toBe(401);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
});
