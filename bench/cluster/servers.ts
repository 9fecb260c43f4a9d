import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Gateway, hasObjectStore, ownGateway, stopObjectStore } from '../../test/servers/object-store.ts';
import { startPgbouncer } from '../../test/servers/pgbouncer.ts';
import { createDatabase, postgresPrograms, startPostgres, type TestPostgres } from '../../test/servers/postgres.ts';
import { tools } from '../../test/servers/servers.ts';
import { makeBucket } from '../../test/stages/bucket-stage.ts';

/** Connections that the pooler keeps to PostgreSQL, for ten of each process. */
const POOLED = 20;

/** The real servers under a cluster: PostgreSQL, a pooler in transaction mode before it, an object store. */
export type ClusterServers = {
  readonly postgres: TestPostgres;
  readonly gateway: Gateway;
  readonly stop: () => Promise<void>;
};

/** @throws if this machine lacks one of them */
export async function startClusterServers(folder: string): Promise<ClusterServers> {
  const programs = postgresPrograms();
  const missing = [
    ...(programs === undefined ? ['PostgreSQL >= 15'] : []),
    ...(hasObjectStore ? [] : ['radosgw (als root)']),
    ...[tools.pgbouncer, tools.haproxy].filter((program) => !existsSync(program)),
  ];
  if (programs === undefined || missing.length > 0) throw new Error(`Hier fehlt: ${missing.join(', ')}`);
  process.env['KONTOR_TEST_OBJECT_STORE'] = join(folder, 'ceph');
  const postgres = await startPostgres(programs);
  const gateway = await ownGateway().catch(async (error: unknown) => {
    stopObjectStore();
    await postgres.stop();
    throw error;
  });
  return {
    postgres,
    gateway,
    stop: async () => {
      gateway.resume();
      await gateway.kill();
      stopObjectStore();
      await postgres.stop();
    },
  };
}

/** A database and a bucket for one cluster. */
export type ClusterSpace = {
  /** Direct connection to the server, for checks from outside the cluster. */
  readonly databaseUrl: string;
  readonly bucket: string;
  /** Environment of every process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

export async function makeSpace({ postgres, gateway }: ClusterServers, name: string): Promise<ClusterSpace> {
  const databaseUrl = await createDatabase(postgres.url, name);
  const pooler = await startPgbouncer(databaseUrl, POOLED);
  const bucket = await makeBucket(gateway);
  return {
    databaseUrl,
    bucket,
    environment: {
      DATABASE_URL: pooler.url,
      KONTOR_SECRET: 'haufen-geheimnis-haufen-geheimnis-haufen',
      KONTOR_STORE: `s3://${bucket}/kontor`,
      S3_ENDPOINT: gateway.endpoint,
      S3_ACCESS_KEY: gateway.accessKey,
      S3_SECRET_KEY: gateway.secretKey,
    },
    stop: () => pooler.stop(),
  };
}
