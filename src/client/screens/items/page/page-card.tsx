import { Loader } from '@mantine/core';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useLive } from '#client/use-live.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { useInView } from './use-in-view.ts';
import classes from './page.module.css';

type PageCardProps<Answer> = {
  /** Target of the links at the top of the page. */
  anchor: string;
  title: string;
  /** Link to further details. */
  more?: ReactNode;
  className?: string | undefined;
  ask: (signal: AbortSignal) => Promise<Answer>;
  children: (answer: Answer) => ReactNode;
};

/** A card of the item's page that loads its content when it comes into view, and fails independently of the page. */
export function PageCard<Answer>({ anchor, title, more, className = '', ask, children }: PageCardProps<Answer>) {
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const [question] = useState(() => ({}));
  const { answer, busy, failure, retry } = useLive(question, ask, { delay: 0, enabled: useInView(card) });
  return (
    <section
      ref={card}
      id={anchor}
      className={`k-card k-stack ${classes.card} ${className}`}
      aria-labelledby={titleId}
      aria-busy={busy}
    >
      <div className="k-between">
        <h2 id={titleId}>{title}</h2>
        {more}
      </div>
      <ErrorNotice failure={failure} onRetry={retry} />
      {answer === null && failure === null && (
        <div className={classes.waiting}>
          <Loader size="sm" color="var(--k-graphic)" role="img" aria-label="lade Daten" />
        </div>
      )}
      {answer !== null && children(answer)}
    </section>
  );
}
