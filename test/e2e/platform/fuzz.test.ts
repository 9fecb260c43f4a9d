import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { type Call, pathOf } from '#shared/http/call.ts';
import { Fuzz, type FuzzRequest } from '../../stages/http/fuzz.ts';
import { normalSafety } from '#shared/repricer/safety.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

// Half of the minute that both databases share in CI; `npm run fuzz -- --minutes=5 --seed=7` runs longer.
const SECONDS = Number(process.env['KONTOR_FUZZ_SECONDS'] ?? 25);
const SEED = Number(process.env['KONTOR_FUZZ_SEED'] ?? 1);
const HANGS_MS = 10_000;
const AT_ONCE = 6;
/** Bad input is refused within two seconds; one request in a hundred may be delayed by other load on the machine. */
const REFUSED_MS = 2000;

/** Calls that would delete what all others need use unknown ids. */
const removing = new Set(['trashMaster', 'trashExport', 'deleteMarketplaceAccount', 'deleteRepricerRule']);
const MARKETPLACE = 'A1PA6795UKMFR9';
const RULE = 'Regel00001';

const rule = undercutting(RULE, 'Unterbieten', ['preis', 'preis', 'preis']);
/** Bodies that a schema's description alone does not lead to: a rule, a time not long ago. */
const bodies: Readonly<Record<string, unknown>> = {
  saveRepricerRule: rule,
  simulatePrices: { rule },
  limitChange: { rules: [rule] },
  decidePrice: { rule, item: { own: {} } },
  savePriceSafety: { figures: normalSafety },
  // Nothing listens there.
  checkUpload: { host: '127.0.0.1', port: 9, username: 'kanal', password: 'geheim' },
  previewRestore: { moment: new Date().toISOString() },
  startRestore: { moment: new Date().toISOString(), reason: 'Versuch' },
};

/** Creates an account, a listing of each item, and a rule that sets their prices. */
async function repriced(kontor: TestKontor, masterid: string): Promise<string> {
  const body = { name: 'Konto', sellerId: 'WIR', masterid, marketplace: MARKETPLACE };
  const { id: account } = await kontor.ask(api.createMarketplaceAccount, { body });
  const listing = { marketplace: MARKETPLACE, account, shipping: 0, price: 199 };
  const listings = [1, 2].map((n) => ({ ...listing, item: `A-${n}`, sku: `S${n}`, asin: `B${n}` }));
  await kontor.ask(api.saveListings, { params: { masterid }, body: listings });
  await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: RULE }, body: rule });
  return account;
}

const refusal = z.object({
  error: z.object({ code: z.string().min(1), message: z.string().regex(/[a-zäöüß]{3,}.*[.!?)]$/s) }),
});

describe('every call of the API document with random invalid values', () => {
  let kontor: TestKontor;
  let ids: Record<string, string>;
  let account = '';
  beforeAll(async () => {
    kontor = await testKontor();
    const masterid = await masterWith(kontor, 'sku;titel;preis\nA-1;Hammer;1,99\nA-2;Säge;2,99', { key: 'sku' });
    account = await repriced(kontor, masterid);
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Export', channel: 'google' },
    });
    const [run] = await kontor.ask(api.masterRuns, { params: { masterid } });
    ids = {
      masterid,
      id,
      projectId: id,
      runid: run?.runid ?? '',
      itemid: 'A-1',
      scope: `master:${masterid}`,
      channel: 'google',
      ruleid: RULE,
      queryselector: RULE,
      marketplace: MARKETPLACE,
      account,
      sellerid: 'WIR',
      articleId: 'A-1',
      item: 'A-1',
      sku: 'S1',
      asin: 'B1',
      currency: 'EUR',
    };
  });
  afterAll(() => kontor.close());

  it(
    'T10 T22 no answer is 5xx, none takes ten seconds, and every refusal has a code and a German sentence',
    async () => {
      const fuzz = new Fuzz(SEED, ids);
      const ofAccounts = new Fuzz(SEED, { ...ids, id: account });
      const ofNothing = new Fuzz(SEED, {});
      const requestTo = (name: string, call: Call) =>
        (removing.has(name)
          ? ofNothing
          : call.path.startsWith('/api/marketplace-accounts/')
            ? ofAccounts
            : fuzz
        ).request(call, bodies[name]);
      const calls: [string, Call][] = Object.entries(api);
      // A token per call: otherwise the rate limit would refuse most requests. Calls that only people may make are sent as the
      // owner.
      const tokens = new Map<string, string>();
      for (const [name] of calls.filter(([, { people }]) => people !== true))
        tokens.set(name, (await kontor.ask(api.createToken, { body: { name, role: 'owner' } })).token);
      const owner = await kontor.owner();
      const wrong: string[] = [];
      const counts = { asked: 0, taken: 0 };
      const refusedMs: number[] = [];
      const until = performance.now() + SECONDS * 1000;
      const one = async (name: string, { path, init }: FuzzRequest) => {
        const told = (what: string) =>
          wrong.push(
            `${name} ${path.slice(0, 200)} ${JSON.stringify(init.body ?? null).slice(0, 300)} -> ${what.slice(0, 300)}`,
          );
        const begun = performance.now();
        try {
          const answer = await kontor.raw(path, {
            ...init,
            ...(tokens.has(name) ? {} : { headers: { ...Object.fromEntries(new Headers(init.headers)), ...owner } }),
            as: tokens.get(name) ?? null,
            signal: AbortSignal.timeout(HANGS_MS),
          });
          const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
          if (isStream) await answer.body?.cancel();
          const text = isStream ? '' : await answer.text();
          counts.asked++;
          if (answer.status >= 400) refusedMs.push(performance.now() - begun);
          if (answer.status < 400) counts.taken++;
          else if (answer.status >= 500 || !refusal.safeParse(JSON.parse(text)).success)
            told(`${answer.status} ${text}`);
        } catch (error) {
          told(String(error));
        }
      };
      const asking = Array.from({ length: AT_ONCE }, async (_, worker) => {
        for (let turn = worker; performance.now() < until; turn += AT_ONCE) {
          const [name, call] = calls[turn % calls.length] ?? ['', undefined];
          if (call !== undefined) await one(name, requestTo(name, call));
        }
      });
      await Promise.all(asking);
      const sorted = refusedMs.toSorted((one, other) => one - other);
      const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`;
      console.log(
        `fuzz: seed ${SEED}, ${counts.asked} requests, ${counts.taken} taken; refusals: median ${at(0.5)}, p99 ${at(0.99)}, slowest ${at(1)}`,
      );
      expect(wrong).toEqual([]);
      expect(sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0).toBeLessThan(REFUSED_MS);
      // If nearly all were refused, nothing after the schemas would have been tested.
      expect(counts.taken / counts.asked).toBeGreaterThan(0.1);
    },
    SECONDS * 1000 + 120_000,
  );

  it('an item named twice in one call is refused with 422', async () => {
    const listing = { item: 'A-1', marketplace: MARKETPLACE, account, sku: 'S1', asin: 'B1' };
    const { masterid = '' } = ids;
    const answer = await kontor.raw(pathOf(api.saveListings, { masterid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([listing, { ...listing, sku: 'S2' }]),
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      422,
      { error: { code: 'listing_twice', fields: [{ field: '1.item' }] } },
    ]);
  });

  it('an unpaired surrogate in a SKU is stored as the replacement character instead of answered with 5xx', async () => {
    const { masterid = '' } = ids;
    const listing = { item: 'A-2', marketplace: MARKETPLACE, account, sku: 'S2\ud800', asin: 'B2' };
    const answer = await kontor.raw(pathOf(api.saveListings, { masterid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([listing]),
    });
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true, saved: 1 }]);
    const stored = kontor.database.system((trx) =>
      trx.selectFrom('listings').select('sku').where('master', '=', masterid).where('item', '=', 'A-2').execute(),
    );
    expect(await stored).toEqual([{ sku: 'S2\ufffd' }]);
  });
});
