import { files } from '#contract/conversations/files.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { filesData } from './customer-data.ts'
import { destroyUnusedFiles, removeFile } from './files.ts'
import { registerFilesRoutes, serveFiles } from './routes.ts'

export const filesFeature = defineFeature({
  name: 'files',
  calls: [files],
  routes: [registerFilesRoutes],
  pages: serveFiles,
  jobs: [removeFile],
  schedules: [defineSchedule('files.destroyUnused', '42 * * * *', (context) => destroyUnusedFiles(context))],
  customerData: [filesData],
})
