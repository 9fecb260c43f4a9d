import { existsSync } from 'node:fs';
import { ftpsProgram } from './ftps-server.ts';
import { hasObjectStore } from './object-store.ts';
import { postgresPrograms } from './postgres.ts';

/** External tools that check the files we ship for running Kontor, at Debian's paths. */
export const tools = {
  promtool: '/usr/bin/promtool',
  pgbouncer: '/usr/sbin/pgbouncer',
  haproxy: '/usr/sbin/haproxy',
  compose: '/usr/bin/docker-compose',
  units: '/usr/bin/systemd-analyze',
  strace: '/usr/bin/strace',
  faketime: '/usr/bin/faketime',
} as const;

/** External servers that a complete run needs: their name in .ci/run, their title, and whether they are installed. */
const servers = [
  { name: 'postgres', title: 'PostgreSQL >= 15', here: postgresPrograms() !== undefined },
  { name: 'ftps', title: 'ein FTPS-Server (proftpd)', here: existsSync(ftpsProgram) },
  { name: 'pgbouncer', title: 'pgbouncer', here: existsSync(tools.pgbouncer) },
  { name: 'promtool', title: 'promtool (prometheus)', here: existsSync(tools.promtool) },
  { name: 'store', title: 'ein Dateispeicher mit der Schnittstelle S3 (radosgw, als root)', here: hasObjectStore },
  { name: 'haproxy', title: 'haproxy', here: existsSync(tools.haproxy) },
  { name: 'compose', title: 'docker-compose', here: existsSync(tools.compose) },
  { name: 'strace', title: 'strace', here: existsSync(tools.strace) },
  { name: 'faketime', title: 'faketime', here: existsSync(tools.faketime) },
  { name: 'units', title: 'systemd-analyze (systemd)', here: existsSync(tools.units) },
];

/** A sentence for each missing server. */
export const absentServers: readonly string[] = servers
  .filter(({ here }) => !here)
  .map(({ title }) => `Hier fehlt ${title}: seine Tests laufen nicht.`);

/**
 * Makes sure that CI skips nothing silently. @throws if a server is missing that .ci/run did not list in KONTOR_TESTS_WITHOUT as
 * one that it could not install
 */
export function demandServers(): void {
  if (process.env['CI'] === undefined) return;
  const excused = (process.env['KONTOR_TESTS_WITHOUT'] ?? '').split(' ');
  const missing = servers.filter(({ name, here }) => !here && !excused.includes(name));
  if (missing.length === 0) return;
  const titles = missing.map(({ title }) => title).join(' und ');
  throw new Error(
    `Für die Tests fehlt ${titles}. Starten Sie .ci/run; es installiert, was fehlt, oder sagt, was fehlen darf.`,
  );
}
