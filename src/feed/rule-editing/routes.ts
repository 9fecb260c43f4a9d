import { integerText } from '#shared/values/integer-text.ts';
import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { checkRules } from '#shared/rules/check.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { checkRegex } from '#engine/read/regex.ts';
import { resolveScope, type Scope } from '#catalogue/exports.ts';
import { liveSnapshot } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import { lockDocument } from '#platform/db/documents.ts';
import { notFound, unprocessable } from '#platform/errors.ts';
import type { Audit } from '#platform/http/audit.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { loadState, type RuleDeps } from './rule-request.ts';
import { copyRules } from './copy.ts';
import { effectRoutes } from './effect-routes.ts';
import { confirmMoves } from '#feed/limit-guard/moved-offers.ts';
import { guardLimits } from '#feed/limit-guard/guard.ts';
import { loadRules, rulesPlace, saveRules } from '#feed/stages/rules/store.ts';
import { ruleAnswer } from './answer-in-duckdb-process.ts';
import { ruleHeader, ruleItems } from './rule-items.ts';
import { csvHeaders, spreadsheetCsvRows } from '#catalogue/spreadsheet-csv.ts';
import { csvName } from '#shared/items/csv-name.ts';

const masterOf = (scope: Scope): Scope =>
  scope.kind === 'master' ? scope : { kind: 'master', masterid: scope.masterid, name: `master:${scope.masterid}` };

/** The user and the scope of an edit: `pick` selects the scope from the one that `id` belongs to. */
type Edit = {
  principal: Principal;
  audit: Audit;
  confirmation: Confirmation;
  id: string;
  pick: (scope: Scope) => Scope;
};

/** Reads and writes a scope's rules; `pick` selects the scope from the one that the id belongs to. */
function ruleDocuments(deps: RuleDeps) {
  const { database } = deps;
  const load = (principal: Principal, id: string, pick: (scope: Scope) => Scope) =>
    database.company(
      principal.company,
      async (trx) =>
        (await loadRules(trx, principal.company, pick(await resolveScope(trx, principal.company, id)).name)).rules,
    );
  /** T26: requires confirmation before a master's rules are replaced by what `after` makes of the saved ones. */
  const confirm = ({ id, pick, ...saver }: Edit, after: (rules: readonly Rule[]) => readonly Rule[]) =>
    confirmMoves(deps, saver, async (trx) => {
      const { company } = saver.principal;
      const scope = pick(await resolveScope(trx, company, id));
      if (scope.kind !== 'master') return null;
      const { rules } = await loadRules(trx, company, scope.name);
      return { masterid: scope.masterid, next: { rules: after(rules) } };
    });
  const save = async (edit: Edit, rules: readonly Rule[], expected: number | undefined) => {
    const { principal, id, pick } = edit;
    await confirm(edit, () => rules);
    return database.company(principal.company, async (trx) => {
      const scope = pick(await resolveScope(trx, principal.company, id));
      // Before the current rules are read: they must be those that this save replaces.
      await lockDocument(trx, rulesPlace(principal.company, scope.name));
      await refuseWrongRules(trx, principal.company, scope, rules);
      if (scope.kind === 'master') await guardLimits(trx, edit, scope.masterid, { rules });
      const revision = await saveRules(
        trx,
        { company: principal.company, scope: scope.name },
        rules,
        principal.name,
        expected,
      );
      return { ok: true as const, revision, message: 'Gespeichert' };
    });
  };
  const remove = async (edit: Edit, ruleid: string, ifMatch: number | undefined) => {
    const { principal, id, pick } = edit;
    await confirm(edit, (rules) => rules.filter((rule) => rule.id !== ruleid));
    return database.company(principal.company, async (trx) => {
      const scope = pick(await resolveScope(trx, principal.company, id));
      await lockDocument(trx, rulesPlace(principal.company, scope.name));
      const { rules, revision } = await loadRules(trx, principal.company, scope.name);
      if (!rules.some((rule) => rule.id === ruleid)) throw notFound('Diese Regel');
      const rest = rules.filter((rule) => rule.id !== ruleid);
      if (scope.kind === 'master') await guardLimits(trx, edit, scope.masterid, { rules: rest });
      const next = await saveRules(
        trx,
        { company: principal.company, scope: scope.name },
        rest,
        principal.name,
        ifMatch ?? revision,
      );
      return { ok: true as const, revision: next, message: 'Gelöscht' };
    });
  };
  return { load, save, remove };
}

/**
 * Routes for the rules of a master and of an export. An id means the scope it belongs to, whichever path is used; on the
 * `master_operators` paths an export's id means the rules of its master.
 */
export function ruleRoutes(app: FastifyInstance, deps: RuleDeps): void {
  const { database } = deps;
  const { load, save, remove } = ruleDocuments(deps);
  const itself = (scope: Scope) => scope;

  route(app, api.rules, ({ principal, params }) => load(principal, params.masterid, itself));
  route(app, api.masterRules, ({ principal, params }) => load(principal, params.id, masterOf));
  route(app, api.saveRules, ({ params, body, ifMatch, ...saver }) =>
    save({ ...saver, id: params.masterid, pick: itself }, body, ifMatch),
  );
  route(app, api.saveMasterRules, ({ params, body, ifMatch, ...saver }) =>
    save({ ...saver, id: params.masterid, pick: masterOf }, body, ifMatch),
  );
  route(app, api.deleteRule, ({ params, ifMatch, ...saver }) =>
    remove({ ...saver, id: params.masterid, pick: itself }, params.ruleid, ifMatch),
  );
  route(app, api.deleteMasterRule, ({ params, ifMatch, ...saver }) =>
    remove({ ...saver, id: params.masterid, pick: masterOf }, params.ruleid, ifMatch),
  );

  route(app, api.ruleStatistics, async ({ principal, params, body, signal }) => {
    const state = await database.company(principal.company, (trx) =>
      loadState(trx, principal.company, params.masterid, { ...deps, rules: body.rules }),
    );
    if (!body.rules.some((rule) => rule.id === body.data)) throw notFound('Diese Regel');
    return ruleAnswer(deps.duckdb, 'statistics', { state, ...body }, signal);
  });

  route(app, api.ruleCsv, async ({ principal, params, body, reply, signal }) => {
    const state = await database.company(principal.company, (trx) =>
      loadState(trx, principal.company, params.masterid, { ...deps, rules: body.rules }),
    );
    const rule = body.rules.find(({ id }) => id === body.data);
    if (rule === undefined) throw notFound('Diese Regel');
    csvHeaders(reply, csvName('Artikel', 'Regel', rule.name));
    return spreadsheetCsvRows(ruleHeader(state, body), ruleItems(deps, state, body, signal));
  });

  route(app, api.copyRules, ({ principal, params, body }) =>
    database.company(principal.company, async (trx) => {
      const target = { company: principal.company, id: params.masterid };
      await refuseWrongRules(
        trx,
        principal.company,
        await resolveScope(trx, principal.company, params.masterid),
        body.rules,
      );
      const { revision } = await copyRules(trx, target, body.rules, principal.name, () => deps.ids.id().slice(0, 10));
      const what = body.rules.length === 1 ? '1 Regel' : `${integerText(body.rules.length)} Regeln`;
      return { ok: true as const, revision, message: `${what} pausiert kopiert` };
    }),
  );

  effectRoutes(app, deps);
}

/** Refuses a save of rules with errors and names the path of each (RUL-07, RUL-10); hints do not prevent a save. */
async function refuseWrongRules(trx: Trx, company: string, scope: Scope, rules: readonly Rule[]): Promise<void> {
  const snapshot = await liveSnapshot(trx, company, scope.masterid);
  const names = snapshot?.fields.map((field) => field.name) ?? [];
  const errors = checkRules(rules, names, checkRegex).filter((problem) => problem.severity === 'error');
  if (errors.length === 0) return;
  const indexOf = (ruleId: string) => rules.findIndex((rule) => rule.id === ruleId);
  const first = errors[0];
  const name = rules.find((rule) => rule.id === first?.ruleId)?.name ?? '';
  throw unprocessable(
    'rules_wrong',
    `Die Regeln wurden nicht gespeichert. ${name === '' ? 'Regel ohne Namen' : `Regel „${name}“`}: ${first?.message}`,
    errors.map((problem) => ({ field: `${indexOf(problem.ruleId)}.${problem.path}`, message: problem.message })),
  );
}
