import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { plainParagraphs } from '#client/ui/text/plain-text.ts';
import classes from './items.module.css';

/** A catalogue without items: the server's message as plain text, and the next step (ITE-06). */
export function Blank({ title, masterid, html }: { title: string; masterid: string; html: string }) {
  return (
    <div className={classes.page}>
      <PageHeader title={title} />
      <ServerWords
        html={html}
        action={
          <Button component={Link} to={pathTo(pages.import, { masterid })}>
            Zum Import
          </Button>
        }
      />
    </div>
  );
}

type NoMatchesProps = { dropped: number; html: string; onReset: () => void; onAllPictures: () => void };

/** A selection without items, or a page whose items the picture filter removed. */
export function NoMatches({ dropped, html, onReset, onAllPictures }: NoMatchesProps) {
  if (dropped > 0)
    return (
      <EmptyState
        title="Kein Artikel dieser Seite hat ein gültiges Bild."
        action={
          <Button variant="default" onClick={onAllPictures}>
            Alle Bilder zeigen
          </Button>
        }
      />
    );
  return (
    <ServerWords
      html={html}
      action={
        <Button variant="default" onClick={onReset}>
          Suche und Filter zurücksetzen
        </Button>
      }
    />
  );
}

function ServerWords({ html, action }: { html: string; action: ReactNode }) {
  const [first = 'Kein Artikel passt zu Suche und Filter.', ...more] = plainParagraphs(html);
  return (
    <EmptyState title={first} action={action}>
      {more.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </EmptyState>
  );
}
