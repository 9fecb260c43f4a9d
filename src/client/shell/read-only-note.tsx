import IconLock from 'virtual:icons/lock';
import { useMatches } from 'react-router';
import { roles } from '#shared/account/roles.ts';
import type { Permission } from '#shared/http/call.ts';
import { type Page, pages } from '#shared/pages.ts';
import { useSession } from './session.ts';

const entries: [string, Page][] = Object.entries(pages);
const everyRole: readonly { label: string; may: readonly Permission[] }[] = Object.values(roles);

/** Says why a screen's fields are disabled, and which roles may change them. */
export function ReadOnlyNote() {
  const session = useSession();
  const id = useMatches().at(-1)?.id;
  const needed = entries.find(([name]) => name === id)?.[1].edits;
  if (session === null || needed === undefined || session.permissions.includes(needed)) return null;
  const able = everyRole.filter(({ may }) => may.includes(needed)).map(({ label }) => label);
  return (
    <p className="k-muted k-small k-screen" style={{ display: 'flex', gap: 6, marginBottom: 12 }}>
      <IconLock size={16} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <span>
        Nur lesen: Ihre Rolle „{roles[session.role].label}“ darf hier nichts ändern. Das dürfen: {able.join(', ')}.
      </span>
    </p>
  );
}
