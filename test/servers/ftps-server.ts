import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './postgres.ts';

export const ftpsProgram = '/usr/sbin/proftpd';

export type FtpsServer = { port: number; folder: string; fingerprint: string; close(): Promise<void> };

const openssl = (...parameters: string[]): string => {
  const { status, stdout, stderr } = spawnSync('openssl', parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl: ${stderr}`);
  return stdout.trim();
};

/** Starts a real FTPS server on loopback with a self-signed certificate and one account: kanal / geheim. */
export async function ftpsServer({ implicit = false, days = 2 } = {}): Promise<FtpsServer> {
  const home = mkdtempSync(join(tmpdir(), 'kontor-ftps-'));
  chmodSync(home, 0o755);
  const folder = join(home, 'kanal');
  mkdirSync(join(folder, 'eingang'), { recursive: true });
  const [key, certificate] = [join(home, 'key.pem'), join(home, 'cert.pem')];
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    certificate,
    '-days',
    String(days),
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost,IP:127.0.0.1',
  );
  const { uid, gid } = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const users = join(home, 'users');
  // The server refuses the superuser's account; then the folder belongs to nobody.
  const [owner, group] = uid === 0 ? [65_534, 65_534] : [uid, gid];
  writeFileSync(users, `kanal:${openssl('passwd', '-6', 'geheim')}:${owner}:${group}::${folder}:/bin/false\n`, {
    mode: 0o600,
  });
  if (uid === 0) spawnSync('chown', ['-R', `${owner}:${group}`, folder]);
  const port = await freePort();
  const settings = join(home, 'proftpd.conf');
  writeFileSync(
    settings,
    `
LoadModule mod_tls.c
ServerName kanal
ServerType standalone
DefaultAddress 127.0.0.1
SocketBindTight on
Port ${port}
UseIPv6 off
UseReverseDNS off
WtmpLog off
TransferLog none
SystemLog ${join(home, 'server.log')}
PidFile ${join(home, 'server.pid')}
ScoreboardFile ${join(home, 'scoreboard')}
DelayEngine off
RequireValidShell off
AuthOrder mod_auth_file.c
AuthUserFile ${users}
DefaultRoot ~
${uid === 0 ? 'User nobody\nGroup nogroup' : ''}
AllowOverwrite on
TLSEngine on
TLSRequired on
TLSRSACertificateFile ${certificate}
TLSRSACertificateKeyFile ${key}
TLSProtocol TLSv1.2 TLSv1.3
TLSOptions ${implicit ? 'UseImplicitSSL ' : ''}NoSessionReuseRequired
`,
  );
  const child = spawn(ftpsProgram, ['-n', '-c', settings], { stdio: 'ignore' });
  await untilOpen(port);
  const fingerprint = openssl('x509', '-in', certificate, '-noout', '-fingerprint', '-sha256').split('=')[1] ?? '';
  return {
    port,
    folder,
    fingerprint,
    close: async () => {
      const ended = new Promise((resolve) => {
        child.once('exit', resolve);
      });
      child.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
    if (isOpen) return;
    await wait(50);
  }
  throw new Error('the FTPS server did not start');
}
