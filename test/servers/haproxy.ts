import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './postgres.ts';
import { tools } from './servers.ts';

export type Proxy = {
  url: string;
  /** Its log: one line per request. */
  output: () => string;
  stop: () => Promise<void>;
};

/** Starts the proxy that we ship (deploy/haproxy.cfg), on a free loopback port, before processes on given local ports. */
export async function startHaproxy(ports: readonly number[]): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-proxy-'));
  const port = await freePort();
  const servers = ports.map((one, n) => `    server web${n} 127.0.0.1:${one}`).join('\n');
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(
    file,
    readFileSync(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replace(/ {4}server-template .*/, servers),
  );
  const proxy = spawn(tools.haproxy, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  proxy.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const gone = once(proxy, 'exit');
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    stop: async () => {
      proxy.kill();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
