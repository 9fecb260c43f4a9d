import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '#client/ui/text/formats.ts';
import classes from './history.module.css';

const shown = 5;

/** Lists what a save changed, one sentence per line; a long list can be expanded. */
export function Changes({ changes }: { changes: readonly string[] }) {
  const [all, setAll] = useState(false);
  const rest = changes.length - shown;
  return (
    <>
      <ul className={classes.changes}>
        {(all ? changes : changes.slice(0, shown)).map((sentence, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two sentences may be equal, and none ever moves
          <li key={index}>{sentence}</li>
        ))}
      </ul>
      {rest > 0 && (
        <div>
          <Button size="xs" variant="subtle" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? 'Weniger zeigen' : `${formatCount(rest, 'weitere Änderung', 'weitere Änderungen')} zeigen`}
          </Button>
        </div>
      )}
    </>
  );
}
