import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#platform/config.ts';
import { startHaproxy } from '../test/servers/haproxy.ts';
import { tools } from '../test/servers/servers.ts';

const folder = new URL('.', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const run = (program: string, given: string[], env: NodeJS.ProcessEnv = process.env) => {
  const { status, stdout, stderr } = spawnSync(program, given, { cwd: folder, encoding: 'utf8', env });
  return { status, stdout, stderr };
};
const absent = (name: string) => `(needs ${name})`;

/** The settings of kontor.env.example, filled in. */
const settings = Object.fromEntries(
  read('kontor.env.example')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => line.split('=') as [string, string])
    .map(([name, value]) => [name, value === '' ? `${name.toLowerCase()}-mit-mehr-als-32-zeichen` : value]),
);

describe('kontor.env.example', () => {
  const environment = { DATABASE_URL: 'postgresql://kontor@database/kontor', ...settings };

  it('T22 gives every company of a server limits of space, catalogues, exports and waiting jobs', () => {
    const { quotas } = readConfig(environment);
    expect(quotas).toEqual({ bytes: 100e9, catalogues: 50, exports: 200, jobs: 500 });
  });

  it('without quota settings, or with the empty ones that compose passes on, there are no quotas', () => {
    const none = { bytes: undefined, catalogues: undefined, exports: undefined, jobs: undefined };
    const empty = Object.keys(settings).filter((name) => name.startsWith('KONTOR_QUOTA_'));
    expect(readConfig({ ...environment, ...Object.fromEntries(empty.map((name) => [name, ''])) }).quotas).toEqual(none);
    expect(readConfig({}).quotas).toEqual(none);
  });
});

describe.skipIf(!existsSync(tools.units))(`systemd units ${absent('systemd-analyze')}`, () => {
  it('pass systemd-analyze verify without a warning', () => {
    const units = readdirSync(join(folder, 'systemd')).map((name) => `systemd/${name}`);
    expect(units.length).toBeGreaterThan(3);
    // It exits with 0 even for unknown keys: only its output counts.
    expect(run(tools.units, ['verify', ...units])).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('schedule a backup every night, including the night on which the clocks go forward', () => {
    const [, time = ''] = /^OnCalendar=(.+)$/m.exec(read('systemd/kontor-backup.timer')) ?? [];
    const given = ['calendar', '--base-time=2026-03-28 12:00', '--iterations=2', time];
    const { stdout } = run(tools.units, given, { ...process.env, TZ: 'Europe/Berlin' });
    const nights = [...stdout.matchAll(/(?:Next elapse|Iter\. #2): \w+ ([\d-]+)/g)].map(([, day]) => day);
    expect(nights).toEqual(['2026-03-29', '2026-03-30']);
  });

  it('create the data folder with mode 0700; without the setting each start of a unit would reset it to 0755', () => {
    for (const unit of ['kontor@.service', 'kontor-backup.service'])
      expect(read(`systemd/${unit}`)).toMatch(/^StateDirectory=kontor\nStateDirectoryMode=0700$/m);
  });

  it("restrict the service: systemd's exposure level is below 3 of 10", () => {
    for (const unit of ['kontor@.service', 'kontor-backup.service']) {
      const { stdout } = run(tools.units, ['security', '--offline=true', '--threshold=30', `systemd/${unit}`]);
      expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(3);
    }
  });
});

describe.skipIf(!existsSync(tools.compose))(`the compose file ${absent('docker-compose')}`, () => {
  const config = (environment: Record<string, string>, ...files: string[]) =>
    run(tools.compose, [...files.flatMap((file) => ['-f', file]), 'config'], {
      PATH: process.env['PATH'],
      HOME: tmpdir(),
      ...environment,
    });

  /** Returns a process's environment; null marks what compose leaves unset. */
  const environmentOf = (text: string, role: string) => {
    const block = new RegExp(String.raw`\n  ${role}:\n((?:    .*\n)+)`).exec(text)?.[1] ?? '';
    return Object.fromEntries(
      [...block.matchAll(/^ {6}([A-Z0-9_]+): (?!null$)['"]?(.*?)['"]?$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
  };

  it('passes every setting of the README to the processes; one that reached none would silently have no effect', () => {
    // Set by the image; and the demo, whose sandbox needs one process with all roles.
    const elsewhere = ['PORT', 'KONTOR_HOST', 'KONTOR_DATA', 'KONTOR_DEMO'];
    const table = /\n## Running it\n([\s\S]*?)\n\n/.exec(read('../README.md'))?.[1] ?? '';
    let last = '';
    const named = [...table.matchAll(/^\| (`.*?`) \|/gm)]
      .flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)])
      // `_EXPORTS` means the name before it with another ending.
      .map(([, name = '']) => (last = name.startsWith('_') ? last.replace(/_[A-Z]+$/, name) : name))
      .filter((name) => !elsewhere.includes(name));
    expect(named.length).toBeGreaterThan(25);
    const texts = ['compose.yaml', 'compose.store.yaml'].map(read).join('\n');
    expect(named.filter((name) => !new RegExp(String.raw`\b${name}:`).test(texts))).toEqual([]);
    const given = {
      KONTOR_PRICE_STOP: '1',
      KONTOR_BACKUP_KEY: 'ein langer Satz zum Versiegeln',
      KONTOR_DECISIONS_DAYS: '60',
      KONTOR_OFFER_MINUTES_DAYS: '45',
      KONTOR_EXCHANGE_RATES: 'ecb',
      KONTOR_MEMORY: '1GB',
      KONTOR_LOG: 'warn',
      KONTOR_API_TOKEN: 'ein-zugang-fuer-programme',
    };
    const { stdout } = config({ ...settings, ...given }, 'compose.yaml');
    for (const role of ['web', 'worker'])
      expect(readConfig(environmentOf(stdout, role))).toMatchObject({
        priceStop: true,
        backupKey: given.KONTOR_BACKUP_KEY,
        keptDays: { decisions: 60, offerMinutes: 45 },
        exchangeRates: expect.stringContaining('ecb.europa.eu') as string,
        memory: '1GB',
        logLevel: 'warn',
        apiToken: given.KONTOR_API_TOKEN,
      });
  });

  it('is accepted by compose, and gives every process settings that the program accepts', () => {
    const store = {
      KONTOR_STORE: 's3://dateien/kontor',
      S3_ENDPOINT: 'https://store.example',
      S3_ACCESS_KEY: 'schluessel',
      S3_SECRET_KEY: 'geheim',
    };
    const both = ['compose.yaml', 'compose.store.yaml'];
    const { status, stdout, stderr } = config({ ...settings, ...store }, ...both);
    expect([status, stderr]).toEqual([0, '']);
    for (const role of ['web', 'worker']) {
      const environment = environmentOf(stdout, role);
      expect(readConfig(environment)).toMatchObject({
        role,
        databaseUrl: expect.stringContaining('@database/kontor') as string,
        quotas: { bytes: 100e9, catalogues: 50, exports: 200, jobs: 500 },
        store: { bucket: 'dateien', prefix: expect.stringContaining('kontor') as string },
      });
    }
  });

  it('is refused while a secret is missing', () => {
    expect(config({ ...settings, KONTOR_SECRET: '' }, 'compose.yaml').status).not.toBe(0);
  });
});

describe.skipIf(!existsSync(tools.promtool))(`Prometheus' settings ${absent('promtool')}`, () => {
  it("pass promtool's syntax check", () => {
    expect(run(tools.promtool, ['check', 'config', '--syntax-only', 'prometheus/prometheus.yml'])).toMatchObject({
      status: 0,
    });
  });
});

describe.skipIf(!existsSync(tools.haproxy))(`the proxy ${absent('haproxy')}`, () => {
  it("passes HAProxy's check of its settings", () => {
    expect(run(tools.haproxy, ['-c', '-f', 'haproxy.cfg'])).toMatchObject({ status: 0 });
  });

  it("forwards the client's address, keeps sessions sticky, hides /metrics, retries GETs elsewhere, limits requests", async () => {
    let stopping = -1;
    const asked: { process: number; forwarded: unknown; method: string | undefined }[] = [];
    const processes = [0, 1].map((number) =>
      createServer((request, response) => {
        if (request.url !== '/readyz')
          asked.push({ process: number, forwarded: request.headers['x-forwarded-for'], method: request.method });
        // The probe still succeeds: the process has only just begun to stop.
        response.writeHead(request.url !== '/readyz' && stopping === number ? 503 : 200).end(String(number));
      }).listen(0, '127.0.0.1'),
    );
    const ports = await Promise.all(
      processes.map(async (one) => {
        await once(one, 'listening');
        return z.object({ port: z.number() }).parse(one.address()).port;
      }),
    );
    const proxy = await startHaproxy(ports);
    try {
      const ask = (path: string, init?: RequestInit) => fetch(proxy.url + path, init).catch(() => undefined);
      await expect.poll(async () => (await ask('/'))?.status).toBe(200);
      asked.length = 0;
      const first = await ask('/', {
        headers: { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'fremd.example' },
      });
      const cookie = first?.headers.getSetCookie()[0] ?? '';
      // Otherwise callers would keep idle connections as long as the process does, and could send requests just as the proxy
      // closes them.
      expect(first?.headers.get('keep-alive')).toBeNull();
      expect(cookie).toMatch(/^KONTOR_PROCESS=[0-9a-f]{16}; path=\/; HttpOnly; SameSite=Lax$/);
      expect(asked).toEqual([{ process: asked[0]?.process, forwarded: '127.0.0.1', method: 'GET' }]);
      const own = asked[0]?.process ?? -1;
      const headers = { cookie: cookie.split(';')[0] ?? '' };
      for (let n = 0; n < 4; n++) expect(await (await ask('/', { headers }))?.text()).toBe(String(own));
      expect((await ask('/metrics'))?.status).toBe(404);
      stopping = own;
      expect([(await ask('/', { headers }))?.status, (await ask('/', { headers, method: 'POST' }))?.status]).toEqual([
        200, 503,
      ]);
      expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
      // More than 6,000 requests from one address in a minute, many pipelined on one connection.
      const { hostname, port } = new URL(proxy.url);
      let answers = '';
      for (let n = 0; n < 7 && !answers.includes('HTTP/1.1 429'); n++) {
        const hasty = connect(Number(port), hostname);
        hasty.write('GET / HTTP/1.1\r\nHost: kontor\r\n\r\n'.repeat(999));
        hasty.write('GET / HTTP/1.1\r\nHost: kontor\r\nConnection: close\r\n\r\n');
        for await (const part of hasty) answers += String(part);
      }
      expect(answers).toContain('HTTP/1.1 429 Too Many Requests');
      expect(answers.match(/HTTP\/1.1 200/g)?.length).toBeGreaterThan(5900);
    } finally {
      await proxy.stop();
      for (const one of processes) one.close();
    }
  });
});

describe('the image', () => {
  it('is built from what runs only, without install scripts, as user node, with settings that the program knows', () => {
    const dockerfile = read('Dockerfile');
    expect(dockerfile).toMatch(/npm ci --ignore-scripts/);
    expect(dockerfile).toMatch(/^USER node$/m);
    const ignored = read('../.dockerignore').split('\n');
    for (const name of ['.git', 'data', '**/node_modules', 'build']) expect(ignored).toContain(name);
    // Every setting that the image sets is one that the program knows.
    const named = [...dockerfile.matchAll(/(KONTOR_\w+|PORT|NODE_ENV)=(\S+)/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    expect(readConfig(Object.fromEntries(named))).toMatchObject({ host: '0.0.0.0', dataFolder: '/data', port: 3000 });
  });
});
