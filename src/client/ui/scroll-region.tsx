import type { ReactNode } from 'react';

type ScrollRegionProps = { label: string; className?: string; children: ReactNode };

/** Something wider or longer than its place; it can be scrolled by keyboard, hence the tab stop. */
export function ScrollRegion({ label, className = '', children }: ScrollRegionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: a scroll region needs the focus
    <div className={`k-scroll ${className}`} role="group" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
