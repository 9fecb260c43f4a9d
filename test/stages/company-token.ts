import { addToken } from '#auth/tokens.ts';
import type { Database } from '#platform/db/database.ts';
import { randomIds } from '#platform/ids.ts';
import type { Permission } from '#shared/http/call.ts';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Adds an owner's token, or one with only these permissions, to a company without users. */
export const giveToken = (database: Database, company: string, secret: string, permissions?: readonly Permission[]) =>
  database.company(company, (trx) =>
    addToken(trx, randomIds, company, {
      name: 'bench',
      role: 'owner',
      secret,
      maker: null,
      makerName: '',
      expiresAt: new Date(Date.now() + YEAR_MS),
      ...(permissions === undefined ? {} : { permissions }),
    }),
  );
