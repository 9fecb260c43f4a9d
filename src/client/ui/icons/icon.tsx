import type { ComponentProps } from 'react';

type IconProps = Omit<ComponentProps<'svg'>, 'stroke'> & {
  /** Width and height in pixels. */
  size?: number;
  /** Width of the lines, in parts of 24 of the size; filled icons have none. */
  stroke?: number;
};
/** A picture of 24 x 24 in the colour of the text. */
export type IconComponent = (props: IconProps) => React.ReactElement;

/** Returns the component of an icon; modules 'virtual:icons/…' call it with the data of the icon (scripts/bundle/icons.ts). */
export function icon(paths: readonly string[], filled: boolean): IconComponent {
  return ({ size = 24, stroke = 2, ...rest }) => (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      {...(filled ? { fill: 'currentColor' } : { ...lines, strokeWidth: stroke })}
      {...rest}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}

const lines = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
