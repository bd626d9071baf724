import { publicArticles } from '#contract/help/public-articles.ts'
import { defineFeature } from '../../../feature.ts'
import { helpCenters } from './centers.ts'
import { registerPublicRoutes } from './routes.ts'
import { serveHelpPages } from './serving.ts'

export const helpPagesFeature = defineFeature({
  name: 'help-pages',
  calls: [publicArticles],
  routes: [registerPublicRoutes],
  pages: serveHelpPages,
  onEvents: (context, events) => helpCenters(context).apply(events),
})
