import { Button } from '@mantine/core';
import IconArrowBackUp from 'virtual:icons/arrow-back-up';
import IconHistory from 'virtual:icons/history';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import {
  type DocumentSubject,
  documentSubjects,
  type Revision,
  subjectNames,
  subjectsWithParts,
} from '#shared/history/schema.ts';
import type { Permission } from '#shared/http/call.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { type Ask, call } from '#client/call.ts';
import { failureOf } from '#client/failure.ts';
import { asking } from '#client/loading.ts';
import { ReadOnlyFor } from '#client/shell/read-only-note.tsx';
import { useMay } from '#client/shell/session.ts';
import { Badge } from '#client/ui/badge.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { formatTime } from '#client/ui/text/formats.ts';
import { showFailure } from '#client/ui/notices.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import classes from './history.module.css';
import { LaterChanges } from './later-changes.tsx';
import { useRestore, type RestoreChoice } from './restore.tsx';
import { editorPath } from './scope-path.ts';

const chunk = 30;

export async function loader(args: LoaderFunctionArgs) {
  const ask = asking(args);
  const subject = subjectNames.find((name) => name === args.params['subject']);
  if (subject === undefined) throw new Response(null, { status: 404 });
  const scope = args.params['scope'] ?? '';
  const [revisions, masters, present] = await Promise.all([
    ask(api.revisions, { params: { subject, scope }, query: { limit: chunk } }),
    ask(api.masters),
    presentParts(ask, subject, scope),
  ]);
  const owners = masters.flatMap(({ masterid, name, exports }) => [
    { scope: `master:${masterid}`, name },
    ...exports.map((one) => ({ scope: `export:${one.id}`, name: one.name })),
  ]);
  return {
    subject,
    scope,
    revisions,
    present,
    owner: owners.find((one) => one.scope === scope)?.name ?? '',
  };
}

const Parts = z.array(z.object({ id: z.string() }));

/** Returns the ids of the parts that exist now: the server refuses to bring those back. */
async function presentParts(ask: Ask, subject: DocumentSubject, scope: string): Promise<string[]> {
  if (!subjectsWithParts.some((name) => name === subject)) return [];
  const { content } = await ask(api.revision, { params: { subject, scope, revision: 'latest' } });
  return (Parts.safeParse(content).data ?? []).map(({ id }) => id);
}

/** Keyed by the newest revision as well: after a restore the list starts again. */
export default function HistoryPage() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      {loaded.subject !== 'releases' && <ReadOnlyFor edits={permissionFor(loaded.subject)} />}
      <History key={`${loaded.subject} ${loaded.scope} ${loaded.revisions[0]?.revision}`} {...loaded} />
    </>
  );
}

/** Documents that set or hold back prices may be restored only by users who may set prices. */
const permissionFor = (subject: DocumentSubject): Permission =>
  subject === 'repricer' || subject === 'price_safety' ? 'prices' : 'edit';

function History({
  subject,
  scope,
  revisions: first,
  present,
  owner,
}: ReturnType<typeof useLoaderData<typeof loader>>) {
  const [revisions, setRevisions] = useState(first);
  const [busy, setBusy] = useState(false);
  const { revalidate } = useRevalidator();
  const mayRestore = useMay(permissionFor(subject)) && subject !== 'releases';
  const { want, loading, dialog } = useRestore({ subject, scope }, () => void revalidate());
  const oldest = revisions.at(-1)?.revision ?? 1;
  const loadMore = async () => {
    setBusy(true);
    try {
      const older = await call(api.revisions, { params: { subject, scope }, query: { before: oldest, limit: chunk } });
      setRevisions((list) => [...list, ...older]);
    } catch (error) {
      showFailure(failureOf('Fehler beim Laden', error));
    } finally {
      setBusy(false);
    }
  };
  const { title } = documentSubjects[subject];
  return (
    <div className={`k-stack ${classes.page}`}>
      <PageHeader
        title={`Verlauf · ${title} · ${owner}`}
        lead={
          subject === 'releases'
            ? 'Jede Freigabe bleibt erhalten. Einen älteren Stand setzen Sie beim Import oder beim Export wieder in Kraft.'
            : 'Jedes Speichern bleibt erhalten und lässt sich wiederherstellen.'
        }
        actions={
          <Button component={Link} to={editorPath(subject, scope)} variant="default">
            Zum heutigen Stand
          </Button>
        }
      />
      {revisions.length === 0 ? (
        <EmptyState icon={IconHistory} title="Noch nichts gespeichert">
          <p>Sobald hier zum ersten Mal gespeichert wird, steht es in dieser Liste.</p>
        </EmptyState>
      ) : (
        <section className="k-card" aria-label="Gespeicherte Stände">
          <ol className={classes.list}>
            {revisions.map((revision, index) => (
              <Entry
                key={revision.revision}
                place={{ subject, scope }}
                revision={revision}
                current={index === 0}
                present={present}
                mayRestore={mayRestore}
                loading={loading === revision.revision}
                onWant={want}
              />
            ))}
          </ol>
          {oldest > 1 && (
            <Button variant="default" loading={busy} onClick={() => void loadMore()}>
              Ältere Stände laden
            </Button>
          )}
        </section>
      )}
      {dialog}
    </div>
  );
}

type EntryProps = {
  place: { subject: DocumentSubject; scope: string };
  revision: Revision;
  current: boolean;
  /** The ids of the parts that exist now. */
  present: readonly string[];
  mayRestore: boolean;
  loading: boolean;
  onWant: (wanted: RestoreChoice) => void;
};

function Entry({ place, revision, current, present, mayRestore, loading, onWant }: EntryProps) {
  const [removed, setRemoved] = useState(revision.removed);
  const isGone = ({ id }: { id: string }) => !present.includes(id);
  const icon = <IconArrowBackUp size={14} aria-hidden />;
  return (
    <li className={classes.entry} data-current={current || undefined} aria-current={current ? 'true' : undefined}>
      <div className={classes.head}>
        <h2 className="k-strong" style={{ fontSize: 'inherit' }}>
          Stand {revision.revision}
        </h2>
        <time dateTime={revision.createdAt}>{formatTime(revision.createdAt)}</time>
        <span className="k-muted">{revision.author}</span>
        {current && <Badge tone="green">heute in Kraft</Badge>}
      </div>
      <LaterChanges {...place} saved={revision} onFound={(found) => setRemoved(found.removed)} />
      {place.subject === 'repricer' && (
        <div className={classes.tools}>
          <Link
            className="k-small"
            to={pathTo(pages.ruleChange, {
              masterid: place.scope.replace(/^master:/, ''),
              number: String(revision.revision),
            })}
            aria-label={`Wirkung von Stand ${revision.revision}: davor und danach`}
          >
            Davor und danach
          </Link>
        </div>
      )}
      {mayRestore && (
        <div className={classes.tools}>
          {!current && (
            <Button
              size="xs"
              variant="default"
              leftSection={icon}
              loading={loading}
              aria-label={`Stand ${revision.revision} wiederherstellen`}
              onClick={() => onWant({ revision })}
            >
              Wiederherstellen
            </Button>
          )}
          {removed.filter(isGone).map((part) => (
            <Button
              key={part.id}
              size="xs"
              variant="default"
              leftSection={icon}
              // A part that the save removed is restored from the revision before it.
              onClick={() => onWant({ revision, part: { ...part, from: revision.revision - 1 } })}
            >
              {part.name} zurückholen
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}
