import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from '../scripts/bundle/build.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const admin = { email: 'bench@beispiel.de', password: 'sehr-geheimes-wort' };
export const benchToken = 'bench-token-0123456789abcdef';

/** Starts the program as a merchant runs it, in a process of its own; `script`: starts it instead of the built program. */
export async function startKontor(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  script?: string,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [script ?? (await ensureBuild(root))], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      KONTOR_DATA: folder,
      KONTOR_DEMO: '0',
      KONTOR_LOG: 'error',
      KONTOR_MEMORY: '1GB',
      KONTOR_ADMIN_EMAIL: admin.email,
      KONTOR_ADMIN_PASSWORD: admin.password,
      KONTOR_API_TOKEN: benchToken,
      ...environment,
    },
  });
  let output = '';
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const url = output.match(/Kontor läuft: (\S+)/)?.[1];
      if (url !== undefined) resolve({ url, child });
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Kontor did not start: ${output}`)));
  });
}

/** Returns a function that posts to the program with its token and returns the answer. @throws if the answer is not 2xx */
export function askOf(url: string): (path: string, body: unknown) => Promise<unknown> {
  return async (path, body) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${benchToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} -> ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
}
