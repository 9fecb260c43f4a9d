import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db/database.ts';
import type { Ids } from '#platform/ids.ts';
import { createCompanyOf, type Fill, isEmpty } from '#auth/auth.ts';
import { companyOfEmail, firstCompanies } from '#auth/companies.ts';
import { saveInstallationToken } from '#auth/tokens.ts';

type Deps = {
  database: Database;
  clock: Clock;
  ids: Ids;
  config: Config;
  /** Fills the demo company with examples. */
  seed: Fill;
};

/**
 * Sets up an installation without interaction: KONTOR_ADMIN_EMAIL and _PASSWORD create the first owner (nothing changes if the
 * address exists), KONTOR_API_TOKEN creates a token of his company. An empty installation without these settings gets the demo
 * company, whose sign-in is stored in the data folder so that every start can show it.
 */
export async function firstStart({ database, clock, ids, config, seed }: Deps): Promise<void> {
  let company: string | undefined;
  const empty = await isEmpty(database);
  if (config.admin) {
    company = await companyOfEmail(database, config.admin.email);
    if (company === undefined) {
      const owner = { name: 'Inhaber', ...config.admin };
      const fill = config.demo === true ? seed : undefined;
      company = await createCompanyOf(database, ids, clock, { name: config.company, owner, fill });
    }
  } else if (empty && config.demo !== false) {
    const signIn = { email: 'demo@kontor.example', password: ids.secret().slice(0, 16) };
    const demo = { name: 'Nordkap Handels GmbH (Demo)', owner: { name: 'Demo', ...signIn }, fill: seed };
    // Written before the company is created, because the password is stored nowhere else.
    const file = demoFile(config.dataFolder);
    writeFileSync(file, JSON.stringify(signIn), { mode: 0o600 });
    chmodSync(file, 0o600);
    company = await createCompanyOf(database, ids, clock, demo);
  }
  if (config.apiToken !== undefined) {
    const owner = company ?? (await firstCompanies(database, 1))[0];
    const secret = config.apiToken;
    if (owner !== undefined) {
      await database.system((trx) => saveInstallationToken(trx, ids, owner, secret));
    }
  }
}

const demoFile = (dataFolder: string) => join(dataFolder, 'demo-anmeldung.json');

/** Returns the demo's sign-in while its file is in the data folder; undefined otherwise. */
export function demoSignIn(dataFolder: string): { email: string; password: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(readFileSync(demoFile(dataFolder), 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('email' in parsed) || !('password' in parsed))
      return undefined;
    return { email: String(parsed.email), password: String(parsed.password) };
  } catch {
    return undefined;
  }
}
