import type { ReactNode, SyntheticEvent } from 'react';
import { type Failure } from '#client/failure.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import classes from './login.module.css';

type FrameProps = {
  title: string;
  failure?: Failure | null;
  /** Absent: the page only shows a message. */
  onSubmit?: (event: SyntheticEvent) => void;
  children: ReactNode;
};

/** A page for visitors who are not signed in: a card in the middle, no header, no navigation. */
export function SignInFrame({ title, failure = null, onSubmit, children }: FrameProps) {
  const content = (
    <>
      <div>
        <p className={classes.brand}>Kontor</p>
        <h1>{title}</h1>
      </div>
      <ErrorNotice failure={failure} />
      {children}
    </>
  );
  return (
    <main id="inhalt" className={classes.page}>
      <title>{`${title} · Kontor`}</title>
      {onSubmit === undefined ? (
        <div className={classes.form} role="status">
          {content}
        </div>
      ) : (
        <form className={classes.form} method="post" onSubmit={onSubmit}>
          {content}
        </form>
      )}
    </main>
  );
}
