import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { type BodyOf, pathOf } from '#shared/http/call.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';
import { signedInMember } from '../../stages/http/signed-in-member.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('calls that a stolen session or token must not reach', () => {
  const clock = { time: new Date('2026-03-10T08:00:00Z').getTime(), now: () => new Date(clock.time) };
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor({}, { clock });
  });
  afterAll(() => kontor.close());
  beforeEach(() => {
    // A day later all earlier counts are forgotten.
    clock.time += 24 * hour;
  });

  const member = (role?: 'admin' | 'editor') => signedInMember(kontor, role);
  describe('confidential changes', () => {
    const token = { body: { name: 'Maschine', role: 'viewer' as const } };

    it('require the password again a quarter of an hour after it was given', async () => {
      const { visitor, password } = await member('admin');
      await visitor.ask(api.createToken, token);
      clock.time += 16 * minute;
      expect(await visitor.outcome(api.createToken, token)).toEqual([403, 'step_up_required']);
      expect(await visitor.outcome(api.members)).toEqual([200, 'ok']);
      expect(await visitor.outcome(api.prove, { body: { password: 'falsch' } })).toEqual([422, 'wrong_password']);
      expect(await visitor.outcome(api.createToken, token)).toEqual([403, 'step_up_required']);
      await visitor.ask(api.prove, { body: { password } });
      await visitor.ask(api.createToken, token);
    });

    it('T26 include price limits, while other fields of a rule are saved without a new proof', async () => {
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Preise' } });
      const { visitor } = await member('admin');
      const save = (name: string, min: string) =>
        visitor.outcome(api.saveRepricerRule, {
          params: { masterid, ruleid: 'Zzzzzzzzz1' },
          body: { id: 'Zzzzzzzzz1', name, description: '', action: { min_price: { value: min } } },
        });
      expect(await save('Werkzeug', 'f0001')).toEqual([200, 'ok']);
      clock.time += 16 * minute;
      expect(await save('Werkzeuge', 'f0001')).toEqual([200, 'ok']);
      expect(await save('Werkzeuge', 'f0002')).toEqual([403, 'step_up_required']);
    });

    it('T26 include reordering and deleting rules with different limits, but not rules with equal limits', async () => {
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Reihenfolge' } });
      const { visitor, password } = await member('admin');
      const [one, two] = ['Zzzzzzzzz1', 'Zzzzzzzzz2'] as const;
      const save = (id: string, min: string) => {
        const body = { id, name: id, description: '', action: { min_price: { value: min } } };
        return visitor.ask(api.saveRepricerRule, { params: { masterid, ruleid: id }, body });
      };
      const order = (...ids: string[]) =>
        visitor.outcome(api.orderRepricerRules, { params: { masterid }, body: { ids } });
      const remove = (id: string) =>
        visitor.outcome(api.deleteRepricerRule, { params: { masterid }, query: { queryselector: id } });
      await save(one, 'f0001');
      await save(two, 'f0001');
      clock.time += 16 * minute;
      expect(await order(two, one)).toEqual([200, 'ok']);
      await visitor.ask(api.prove, { body: { password } });
      await save(two, 'f0002');
      clock.time += 16 * minute;
      expect(await order(one, two)).toEqual([403, 'step_up_required']);
      expect(await remove(two)).toEqual([403, 'step_up_required']);
      await visitor.ask(api.prove, { body: { password } });
      expect([await order(one, two), await remove(two)]).toEqual([
        [200, 'ok'],
        [200, 'ok'],
      ]);
      const { events } = await kontor.ask(api.securityLog, { query: { kind: 'prices', limit: 50 } });
      expect(JSON.stringify(events)).toContain('Reihenfolge');
    });

    it('T26 include restoring an older state of limits, which the security log records', async () => {
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Alte Preise' } });
      const { visitor, password } = await member('admin');
      const save = (min: string) =>
        visitor.ask(api.saveRepricerRule, {
          params: { masterid, ruleid: 'Zzzzzzzzz1' },
          body: { id: 'Zzzzzzzzz1', name: 'Werkzeug', description: '', action: { min_price: { value: min } } },
        });
      await save('f0001');
      await save('f0002');
      const restore = { params: { subject: 'repricer', scope: `master:${masterid}` }, body: { revision: 1 } };
      clock.time += 16 * minute;
      expect(await visitor.outcome(api.restore, restore)).toEqual([403, 'step_up_required']);
      await visitor.ask(api.prove, { body: { password } });
      await visitor.ask(api.restore, restore);
      const { events } = await kontor.ask(api.securityLog, { query: { kind: 'prices', limit: 50 } });
      expect(events.filter(({ subject }) => subject === 'Alte Preise: Repricing-Regeln')).toMatchObject([
        { kind: 'prices', result: 'done', what: expect.stringContaining('wiederherstellen') },
      ]);
    });

    it('restoring an older state of the difference check is recorded in the security log like a save', async () => {
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Vorsichtig' } });
      const save = (action: 'block_send' | 'send_notification') =>
        kontor.ask(api.saveImportDifference, {
          params: { masterid },
          body: { action_on_difference: action, neg_difference: 10, pos_difference: 10 },
        });
      await save('send_notification');
      await save('block_send');
      await kontor.ask(api.restore, {
        params: { subject: 'difference', scope: `master:${masterid}` },
        body: { revision: 1 },
      });
      const { events } = await kontor.ask(api.securityLog, { query: { kind: 'settings', limit: 10 } });
      expect(events.map(({ subject }) => subject)).toContain('Vorsichtig: Aktion bei Differenz');
    });

    it('M9 include a new import address and new addresses of a file', async () => {
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Quelle' } });
      const { visitor, password } = await member('admin');
      const save = (address: string) =>
        visitor.outcome(api.saveImportSchedule, {
          params: { masterid },
          body: { address, active: false },
        });
      expect(await save('https://laden.example/a.csv')).toEqual([200, 'ok']);
      clock.time += 16 * minute;
      expect(await save('')).toEqual([200, 'ok']);
      expect(await save('https://laden.example/b.csv')).toEqual([403, 'step_up_required']);
      await visitor.ask(api.prove, { body: { password } });
      expect(await save('https://laden.example/b.csv')).toEqual([200, 'ok']);
      const { events } = await kontor.ask(api.securityLog, { query: { kind: 'secret', limit: 50 } });
      expect(events.filter(({ subject }) => subject === 'Quelle')).toHaveLength(2);
    });

    it.each([
      ['createMarketplaceAccount', 'saveMarketplaceAccount', 'saveMailSettings', 'createWebhook', 'renewWebhookSecret'],
      [
        'saveUpload',
        'invite',
        'saveMemberRole',
        'deleteMember',
        'memberPasswordLink',
        'saveSignInPolicy',
        'deleteToken',
        'endMemberSessions',
      ],
      ['renewFeedAddress', 'exportCompany', 'companyArchiveAddress', 'deleteCompany'],
      ['releasePrices', 'releaseItems', 'startRestore', 'endRestore', 'releaseOutgoing'],
      ['savePriceSafety', 'startApp', 'addPasskey', 'removeApp', 'removePasskey', 'renewRecoveryCodes'],
    ] as const)('include %s, %s, %s, %s, %s and more', (...names) => {
      expect(names.filter((name) => !('stepUp' in api[name]))).toEqual([]);
    });

    it('include restoring exports from the trash that upload to a server, alone or with their catalogue', async () => {
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Kanäle' } });
      const made = async (name: string) =>
        (await kontor.ask(api.createExport, { params: { masterid }, body: { name } })).id;
      const [sends, rests] = [await made('Sendet'), await made('Ruht')];
      const upload = { host: 'sftp.beispiel.de', port: 22, user: 'wir', pass: 'geheim', dir: '/', filename: 'a.csv' };
      await kontor.ask(api.saveUpload, { params: { id: sends }, body: { active: true, ...upload } });
      await kontor.ask(api.saveUpload, { params: { id: rests }, body: { active: true, ...upload } });
      await kontor.ask(api.saveUpload, { params: { id: rests }, body: { active: false, ...upload } });
      const { visitor, password } = await member();
      clock.time += 16 * minute;
      const back = (id: string) => visitor.outcome(api.restoreTrashed, { params: { id } });
      for (const [id, name] of [
        [sends, 'Sendet'],
        [rests, 'Ruht'],
      ] as const)
        await visitor.ask(api.trashExport, { params: { id }, body: { name } });
      expect([await back(sends), await back(rests)]).toEqual([
        [403, 'step_up_required'],
        [200, 'ok'],
      ]);
      await visitor.ask(api.prove, { body: { password } });
      expect(await back(sends)).toEqual([200, 'ok']);
      clock.time += 16 * minute;
      await kontor.ask(api.trashMaster, { params: { masterid }, body: { name: 'Kanäle' } });
      expect(await back(masterid)).toEqual([403, 'step_up_required']);
      expect((await kontor.ask(api.trash)).entries.map(({ id }) => id)).toContain(masterid);
      await visitor.ask(api.prove, { body: { password } });
      expect(await back(masterid)).toEqual([200, 'ok']);
    });

    it('T26 include releasing prices, while holding them needs no new proof', async () => {
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Halt' } });
      const rule = { ...undercutting('Regel00001', 'Grenzen', ['von', 'bis', 'normal']), active: false };
      await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: rule.id }, body: rule });
      const { visitor, password } = await member('admin');
      clock.time += 16 * minute;
      const params = { masterid };
      const set = (body: BodyOf<typeof api.setRepricerState>) =>
        visitor.outcome(api.setRepricerState, { params, body });
      const stop = (stopped: boolean) => visitor.outcome(api.stopPrices, { body: { stopped, reason: 'Test' } });
      for (const hold of [{ active: false }, { dry_run: true }, { stopped: true }] as const)
        expect(await set(hold)).toEqual([200, 'ok']);
      expect(await stop(true)).toEqual([200, 'ok']);
      const reason = 'Test';
      const breakers = { what: 'breakers', reason } as const;
      const letGo = async () => [
        await set({ active: true }),
        await set({ dry_run: false }),
        await set({ stopped: false }),
        await stop(false),
        await visitor.outcome(api.releasePrices, { params, body: breakers }),
        await visitor.outcome(api.releaseItems, { params, body: { ids: ['x'], reason } }),
        await visitor.outcome(api.startRestore, {
          params,
          body: { moment: new Date(clock.time).toISOString(), reason },
        }),
        await visitor.outcome(api.endRestore, { params }),
      ];
      const asked = await letGo();
      expect(asked).toEqual(asked.map(() => [403, 'step_up_required']));
      expect(await kontor.ask(api.repricerState, { params })).toMatchObject({
        active: false,
        dry_run: true,
        stopped: true,
      });
      // Setting what is already set, or releasing what is already released, is no change.
      expect(await set({ active: false, stopped: true })).toEqual([200, 'ok']);
      await visitor.ask(api.prove, { body: { password } });
      const done = await letGo();
      // There is no alarm with this name to release.
      expect(done).toEqual(done.map((_one, at) => (at === 5 ? [404, 'not_found'] : [200, 'ok'])));
      clock.time += 16 * minute;
      expect(await set({ active: true, dry_run: false, stopped: false })).toEqual([200, 'ok']);
    });

    it('API tokens need no new proof of the password', async () => {
      clock.time += 16 * minute;
      const gone = pathOf(api.deleteWebhook, { id: 'Zzzzzzzzz1' });
      expect((await kontor.raw(gone, { method: 'DELETE' })).status).toBe(404);
    });
  });
});
