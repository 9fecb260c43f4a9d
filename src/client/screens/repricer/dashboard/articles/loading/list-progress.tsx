import { Button } from '@mantine/core';
import { ProgressBar } from '#client/ui/progress-bar.tsx';
import classes from './list-progress.module.css';
import { progressWords } from './load-articles.ts';
import type { ArticleLoad } from './use-articles.ts';

/** RDA-04: how much of the list is loaded; hidden once all of it is. */
export function ListProgress({ load: { progress, busy, failure, stop, resume } }: { load: ArticleLoad }) {
  if (!busy && (progress.finished || (failure !== null && progress.offset === 0))) return null;
  const words = progressWords(progress);
  return (
    <div className={classes.progress}>
      <div>
        <ProgressBar
          label={busy ? 'lade Daten' : 'Noch nicht alles geladen'}
          done={progress.offset}
          total={progress.total ?? 0}
          {...(words === null ? {} : { words })}
        />
      </div>
      {(busy || failure === null) && (
        <Button variant="default" size="xs" onClick={busy ? stop : resume}>
          {busy ? 'Laden abbrechen' : 'Weiter laden'}
        </Button>
      )}
    </div>
  );
}
