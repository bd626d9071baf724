import { functions, type Lambda } from '#contract/developers/functions.ts'
import { withTokens } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'

/** Deploys a zip with code and modules. Throws ApiError. */
export function uploadZip(id: string, file: File): Promise<Lambda> {
  return withTokens(async ({ token }) => {
    const body = new FormData()
    body.append('file', file)
    const headers = { authorization: token }
    const response = await fetch(functions.deploy.path.replace(':id', id), { method: 'POST', headers, body })
    const answer = await response.json().catch(() => undefined)
    if (response.ok) return answer.data
    const message = answer?.error?.message ?? 'The upload failed.'
    throw new ApiError(response.status, `${message} (status ${response.status})`)
  })
}
