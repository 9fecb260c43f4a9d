import type { Feature } from '#platform/feature.ts';
import { suggestionRoutes } from './routes.ts';
import { sourceSuggestionRoutes, type SourceSuggestionDeps } from './source-suggestion-routes.ts';

/** Suggests targets for values and sources for fields. */
export const suggestions: Feature<SourceSuggestionDeps> = {
  name: 'suggestions',
  routes: (app, deps) => {
    suggestionRoutes(app, deps);
    sourceSuggestionRoutes(app, deps);
  },
};
