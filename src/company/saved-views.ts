import { stale } from '#platform/db/documents.ts';
import type { Trx } from '#platform/db/database.ts';
import { pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import { notAllowed, notFound, unprocessable } from '#platform/errors.ts';
import type { Principal } from '#platform/http/server.ts';
import {
  MOST_VIEWS,
  type NewView,
  SavedView,
  type SavedViewList,
  type ViewChange,
  type ViewPlace,
  viewTables,
} from '#shared/saved-views/schema.ts';

const columns = ['id', 'name', 'query', 'fields', 'shared', 'revision', 'owner', 'owner_name', 'changed_by'] as const;
type ViewRow = Row<'saved_views', (typeof columns)[number]>;

/** A token has saved views of its own, too. */
const personOf = ({ userId, email }: Principal) => userId ?? email;
const mayShare = ({ permissions }: Principal) => permissions.includes('edit');

function toView({ fields, owner_name: owner, ...row }: ViewRow, person: string): SavedView {
  return SavedView.parse({ ...row, fields: JSON.parse(fields), owner, own: row.owner === person });
}

type Place = { company: string; place: string; scope: string };
/** Returns the error for a catalogue that a transaction does not see, which says if it is in the trash. */
export type MasterNotFound = (trx: Trx, company: string, masterid: string) => Promise<Error>;

/** Returns the place of a table's views. @throws 404 for an unknown or trashed catalogue, 422 if none is named */
async function placeOf(
  trx: Trx,
  company: string,
  { table, masterid }: ViewPlace,
  masterNotFound: MasterNotFound,
): Promise<Place> {
  if (!viewTables[table].perMaster) return { company, place: table, scope: '' };
  if (masterid === undefined) throw unprocessable('master_missing', 'Bitte nennen Sie den Katalog der Ansicht.');
  const found = await trx
    .selectFrom('masters')
    .select('id')
    .where('company', '=', company)
    .where('id', '=', masterid)
    .executeTakeFirst();
  if (!found) throw await masterNotFound(trx, company, masterid);
  return { company, place: table, scope: masterid };
}

const visibleViews = (trx: Trx, place: Place, person: string) =>
  trx
    .selectFrom('saved_views')
    .select(columns)
    .where((eb) => eb.and(place))
    .where((eb) => eb.or([eb('owner', '=', person), eb('shared', '=', true)]));

/** Returns the views of a table that the principal can see, by name. */
export async function listViews(
  trx: Trx,
  principal: Principal,
  viewPlace: ViewPlace,
  masterNotFound: MasterNotFound,
): Promise<SavedViewList> {
  const person = personOf(principal);
  const place = await placeOf(trx, principal.company, viewPlace, masterNotFound);
  const rows = await visibleViews(trx, place, person).execute();
  const chosen = await trx
    .selectFrom('saved_view_defaults')
    .select('view')
    .where((eb) => eb.and({ ...place, person }))
    .executeTakeFirst();
  const views = rows
    .map((row) => toView(row, person))
    .toSorted((one, other) => one.name.localeCompare(other.name, 'de-DE', { numeric: true }));
  // A view that is no longer shared cannot be another user's default.
  return { views, standard: views.find(({ id }) => id === chosen?.view)?.id ?? null };
}

/** @throws 422 if the table has its maximum of views or one of that name; 403 for a shared view without the right to edit */
export async function addView(
  trx: Trx,
  principal: Principal,
  view: NewView,
  { id, now, masterNotFound }: { id: string; now: Date; masterNotFound: MasterNotFound },
): Promise<SavedView> {
  if (view.shared && !mayShare(principal)) throw notAllowed();
  const place = await placeOf(trx, principal.company, view, masterNotFound);
  // One at a time: otherwise two concurrent saves could both be the hundredth view, or have the same name.
  await pg`select pg_advisory_xact_lock(hashtext(${`views ${place.company} ${place.place} ${place.scope}`}))`.execute(
    trx,
  );
  const { count } = await trx
    .selectFrom('saved_views')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where((eb) => eb.and(place))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_VIEWS)
    throw unprocessable(
      'too_many_views',
      `Für diese Tabelle sind schon ${MOST_VIEWS} Ansichten gespeichert. Bitte löschen Sie zuerst eine.`,
    );
  const person = personOf(principal);
  await refuseSameName(trx, place, person, { name: view.name });
  const row = await trx
    .insertInto('saved_views')
    .values({
      ...place,
      id,
      owner: person,
      owner_name: principal.name,
      changed_by: principal.name,
      name: view.name,
      query: view.query,
      fields: JSON.stringify(view.fields),
      shared: view.shared,
      created_at: now,
      changed_at: now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toView(row, person);
}

async function refuseSameName(
  trx: Trx,
  place: Place,
  person: string,
  { name, but = '' }: { name: string; but?: string },
): Promise<void> {
  const same = await visibleViews(trx, place, person)
    .where('name', '=', name)
    .where('id', '!=', but)
    .executeTakeFirst();
  if (same)
    throw unprocessable('view_name_taken', 'Eine Ansicht mit diesem Namen gibt es hier schon.', [
      { field: 'name', message: 'bereits vergeben' },
    ]);
}

/**
 * Returns a view that the principal may change: his own, or a shared one if he may edit. Locks it until the transaction ends.
 * @throws 404, also for private views of others; 403
 */
async function changeable(trx: Trx, principal: Principal, id: string) {
  const person = personOf(principal);
  const row = await trx
    .selectFrom('saved_views')
    .select([...columns, 'place', 'scope'])
    .where('company', '=', principal.company)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row || (row.owner !== person && !row.shared)) throw notFound('Diese Ansicht');
  if (row.shared && !mayShare(principal)) throw notAllowed();
  return row;
}

/** Whether the user or token that owns a view still exists. */
async function isThere(trx: Trx, company: string, owner: string): Promise<boolean> {
  const [member, token] = [
    trx
      .selectFrom('member')
      .select('id')
      .where((eb) => eb.and({ organizationId: company, userId: owner })),
    trx
      .selectFrom('api_tokens')
      .select('id')
      .where((eb) => eb.and({ company, id: owner.replace(/^token:/, '') })),
  ];
  return ((await member.executeTakeFirst()) ?? (await token.executeTakeFirst())) !== undefined;
}

/**
 * Changes a view. One that is no longer shared returns to its owner; if he has left, the principal becomes its owner, because
 * nobody else would see it. That reads members, so `trx` must then be an accounts transaction. @throws 404, 403, 409 if it was
 * changed since `expected`, 422 if the name exists
 */
export async function changeView(
  trx: Trx,
  principal: Principal,
  id: string,
  change: ViewChange,
  { expected, now }: { expected: number | undefined; now: Date },
): Promise<SavedView> {
  const row = await changeable(trx, principal, id);
  if (expected !== undefined && expected !== row.revision) throw stale(row.changed_by);
  if (change.shared === true && !mayShare(principal)) throw notAllowed();
  const person = personOf(principal);
  const { place, scope } = row;
  const { company } = principal;
  if (change.name !== undefined)
    await refuseSameName(trx, { company, place, scope }, person, { name: change.name, but: id });
  const orphaned = change.shared === false && row.owner !== person && !(await isThere(trx, company, row.owner));
  const { fields, ...rest } = change;
  const changed = await trx
    .updateTable('saved_views')
    .set({
      ...rest,
      ...(fields === undefined ? {} : { fields: JSON.stringify(fields) }),
      ...(orphaned ? { owner: person, owner_name: principal.name } : {}),
      revision: row.revision + 1,
      changed_by: principal.name,
      changed_at: now,
    })
    .where('company', '=', principal.company)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toView(changed, person);
}

/** @throws 404, 403 */
export async function removeView(trx: Trx, principal: Principal, id: string): Promise<void> {
  await changeable(trx, principal, id);
  await trx.deleteFrom('saved_views').where('company', '=', principal.company).where('id', '=', id).execute();
}

/** Makes this view the principal's default for its table, or no longer. @throws 404 */
export async function setStandard(trx: Trx, principal: Principal, id: string, standard: boolean): Promise<void> {
  const person = personOf(principal);
  const { company } = principal;
  const row = await trx
    .selectFrom('saved_views')
    .select(['place', 'scope'])
    .where('company', '=', company)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('owner', '=', person), eb('shared', '=', true)]))
    .executeTakeFirst();
  if (!row) throw notFound('Diese Ansicht');
  const key = { company, person, ...row };
  if (!standard) {
    await trx
      .deleteFrom('saved_view_defaults')
      .where((eb) => eb.and({ ...key, view: id }))
      .execute();
    return;
  }
  await trx
    .insertInto('saved_view_defaults')
    .values({ ...key, view: id })
    .onConflict((conflict) => conflict.columns(['company', 'person', 'place', 'scope']).doUpdateSet({ view: id }))
    .execute();
}

/** Deletes the private views of a user who has left; nobody else could see them. Shared ones stay. */
export async function removeViewsOf(trx: Trx, company: string, person: string): Promise<void> {
  await trx.deleteFrom('saved_view_defaults').where('company', '=', company).where('person', '=', person).execute();
  await trx
    .deleteFrom('saved_views')
    .where('company', '=', company)
    .where('owner', '=', person)
    .where('shared', '=', false)
    .execute();
}
