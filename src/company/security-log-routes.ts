import type { FastifyInstance, FastifyReply } from 'fastify';
import { verifySecurityLog } from '#auth/security-log.ts';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import type { SecurityEvent, SecurityFilters } from '#shared/account/security-log.ts';
import { byLabels, kindLabels, resultLabels } from '#shared/account/security-words.ts';
import type { AccountDeps } from './sign-in.ts';

export type CsvFile = { name: string; header: readonly string[]; rows: AsyncIterable<readonly string[]> };
export type SecurityLogRouteDeps = AccountDeps & { sendCsv: (reply: FastifyReply, file: CsvFile) => FastifyReply };

const CSV_PAGE = 1000;
const header = ['Nr.', 'Zeit', 'Art', 'Ergebnis', 'Wer', 'Womit', 'IP-Adresse', 'Was', 'Woran'];
const time = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'Europe/Berlin' });

/** Calls that list, export and verify the security log. */
export function securityLogRoutes(app: FastifyInstance, deps: SecurityLogRouteDeps): void {
  const { database, sendCsv } = deps;

  route(app, api.securityLog, async ({ principal: { company }, query }) => {
    const found = await database.company(company, async (trx) => {
      const { total } = await matching(trx, company, query)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const events = await eventsOf(trx, company, query).offset(query.offset).limit(query.limit).execute();
      return { total, events: events.map(wireOf), chain: await chainOf(trx, company) };
    });
    return { ...found, ...(await unknownTries(deps)) };
  });

  route(app, api.securityLogCsv, async ({ principal: { company }, query, reply }) =>
    sendCsv(reply, { name: 'Sicherheitsprotokoll.csv', header, rows: cellsOf(deps, company, query) }),
  );

  route(app, api.verifySecurityLog, async ({ principal: { company } }) => {
    await verifySecurityLog(deps, company);
    return database.company(company, (trx) => chainOf(trx, company));
  });
}

/** Returns a query for the events that match the filters. Days are those of Berlin. */
const matching = (trx: Trx, company: string, { kind, result, person, from, to }: SecurityFilters) =>
  trx
    .selectFrom('security_events')
    .where('company', '=', company)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'sign_in'))
    .$if(result !== undefined, (query) => query.where('result', '=', result ?? 'done'))
    .$if(person !== '', (query) => query.where(pg<boolean>`position(lower(${person}) in lower(actor)) > 0`))
    .$if(from !== undefined, (query) =>
      query.where(pg<boolean>`at >= ${from ?? ''}::date::timestamp at time zone 'Europe/Berlin'`),
    )
    .$if(to !== undefined, (query) =>
      query.where(pg<boolean>`at < (${to ?? ''}::date + 1)::timestamp at time zone 'Europe/Berlin'`),
    );

const eventsOf = (trx: Trx, company: string, filters: SecurityFilters) =>
  matching(trx, company, filters)
    .select(['number', 'at', 'kind', 'result', 'actor', 'actor_by as by', 'address', 'what', 'subject'])
    .orderBy('number', 'desc');

const wireOf = ({ at, ...event }: Omit<SecurityEvent, 'at'> & { at: Date }): SecurityEvent => ({
  ...event,
  at: at.toISOString(),
});

async function chainOf(trx: Trx, company: string) {
  const head = await trx
    .selectFrom('security_log_heads')
    .select(['verified_at', 'broken'])
    .where('company', '=', company)
    .executeTakeFirst();
  return { verifiedAt: head?.verified_at?.toISOString() ?? null, broken: head?.broken ?? '' };
}

/** Returns the number of sign-in attempts with unknown addresses in the last 30 days, in the whole installation. */
async function unknownTries({ database, clock }: AccountDeps): Promise<{ unknownTries: number }> {
  const from = new Date(clock.now().getTime() - 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const found = await database.kysely
    .selectFrom('unknown_sign_ins')
    .select((eb) => eb.fn.sum<number | null>('tries').as('tries'))
    .where('day', '>=', from)
    .executeTakeFirst();
  return { unknownTries: Number(found?.tries ?? 0) };
}

async function* cellsOf({ database }: AccountDeps, company: string, filters: SecurityFilters) {
  for (let before: number | undefined; ;) {
    const below = before;
    const events = await database.company(company, (trx) =>
      eventsOf(trx, company, filters)
        .$if(below !== undefined, (query) => query.where('number', '<', below ?? 0))
        .limit(CSV_PAGE)
        .execute(),
    );
    for (const { number, at, kind, result, actor, by, address, what, subject } of events)
      yield [
        String(number),
        time.format(at),
        kindLabels[kind],
        resultLabels[result],
        actor,
        byLabels[by],
        address,
        what,
        subject,
      ];
    before = events.at(-1)?.number;
    if (events.length < CSV_PAGE) return;
  }
}
