import IconLock from 'virtual:icons/lock';
import { useMatches } from 'react-router';
import { roles, rolesWith } from '#shared/account/roles.ts';
import type { Permission } from '#shared/http/call.ts';
import { type Page, pages } from '#shared/pages.ts';
import { useSession } from './session.ts';

const entries: [string, Page][] = Object.entries(pages);

/** Says why a screen's fields are disabled or its buttons are missing, and which roles may use them. */
export function ReadOnlyNote() {
  const id = useMatches().at(-1)?.id;
  const page = entries.find(([name]) => name === id)?.[1];
  return page && <ReadOnlyFor edits={page.edits} starts={page.starts} />;
}

type ReadOnlyForProps = { edits?: Permission | undefined; starts?: Permission | undefined };

/** The same for a screen of which the permission depends on what it shows. */
export function ReadOnlyFor({ edits, starts }: ReadOnlyForProps) {
  const session = useSession();
  if (session === null) return null;
  const lacks = (needed: Permission | undefined): needed is Permission =>
    needed !== undefined && !session.permissions.includes(needed);
  const barred = [lacks(edits) ? ['nichts ändern'] : [], lacks(starts) ? ['nichts starten'] : []].flat();
  if (barred.length === 0) return null;
  const able = rolesWith(...[edits, starts].filter(lacks));
  return (
    <p className="k-muted k-small k-screen" style={{ display: 'flex', gap: 6, marginBottom: 12 }}>
      <IconLock size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <span>
        Nur lesen: Ihre Rolle „{roles[session.role].label}“ darf hier {barred.join(' und ')}. Das dürfen: {able}.
      </span>
    </p>
  );
}
