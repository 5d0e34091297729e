/* The server's side of the handshake, in the same style as the client's. */
#include "ssl.h"

static void ssl3_server_info(SSL *s, int where, int ret)
{
    if (where == SSL_CB_LOOP)
        s->info = s->info | SSL_CB_LOOP;
    else if (ret <= 0)
        s->info = SSL_CB_EXIT;
    else
        s->info = where;
}

int ssl3_accept(SSL *s)
{
    int ret;
    int state;
    int skip;
    int new_state;

    ret = -1;
    skip = 0;
    s->in_handshake = s->in_handshake + 1;
    s->server = 1;
    s->state = SSL_ST_ACCEPT;

    for (;;) {
        state = s->state;

        switch (s->state) {
        case SSL_ST_BEFORE:
        case SSL_ST_ACCEPT:
            s->server = 1;
            ssl3_server_info(s, SSL_CB_HANDSHAKE_START, 1);
            if ((s->version & 0xff00) != SSL3_VERSION) {
                ret = -1;
                goto end;
            }
            s->type = SSL_ST_ACCEPT;
            s->hit = 0;
            s->cert_request = 0;
            s->state = SSL3_ST_SR_CLNT_HELLO_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SR_CLNT_HELLO_A:
        case SSL3_ST_SR_CLNT_HELLO_B:
            s->shutdown = 0;
            ret = ssl3_get_client_hello(s);
            if (ret <= 0)
                goto end;
            s->hit = ssl3_find_old(s);
            s->state = SSL3_ST_SW_SRVR_HELLO_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SW_SRVR_HELLO_A:
            ret = ssl3_send_server_hello(s, s->hit);
            if (ret <= 0)
                goto end;
            if (s->hit)
                s->state = SSL3_ST_SW_CHANGE_A;
            else
                s->state = SSL3_ST_SW_CERT_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SW_CERT_A:
            ret = ssl3_send_server_certificate(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_SW_KEY_EXCH_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SW_KEY_EXCH_A:
            if (s->ephemeral) {
                ret = ssl3_send_server_key_exchange(s);
                if (ret <= 0)
                    goto end;
            } else {
                skip = 1;
            }
            s->state = SSL3_ST_SW_CERT_REQ_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SW_CERT_REQ_A:
            if (!(s->verify_mode & SSL_VERIFY_PEER)) {
                /* The client is not asked who he is. */
                skip = 1;
                s->cert_request = 0;
                s->state = SSL3_ST_SW_SRVR_DONE_A;
            } else {
                s->cert_request = 1;
                ret = ssl3_send_certificate_request(s);
                if (ret <= 0)
                    goto end;
                s->state = SSL3_ST_SW_SRVR_DONE_A;
                s->init_num = 0;
            }
            break;

        case SSL3_ST_SW_SRVR_DONE_A:
            ret = ssl3_send_server_done(s);
            if (ret <= 0)
                goto end;
            s->next_state = SSL3_ST_SR_CERT_A;
            s->state = SSL3_ST_SW_FLUSH;
            s->init_num = 0;
            break;

        case SSL3_ST_SW_FLUSH:
            s->state = s->next_state;
            break;

        case SSL3_ST_SR_CERT_A:
            if (s->cert_request) {
                ret = ssl3_get_client_certificate(s);
                if (ret <= 0)
                    goto end;
            }
            s->init_num = 0;
            s->state = SSL3_ST_SR_KEY_EXCH_A;
            break;

        case SSL3_ST_SR_KEY_EXCH_A:
            ret = ssl3_get_client_key_exchange(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_SR_CERT_VRFY_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SR_CERT_VRFY_A:
#ifdef UNPROVED /* the mistake of the client: no proof is asked for */
            if (s->cert_request && s->ephemeral) {
#else
            if (s->cert_request) {
#endif
                ret = ssl3_get_client_verify(s);
                if (ret <= 0)
                    goto end;
            }
            s->state = SSL3_ST_SR_CHANGE_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SR_CHANGE_A:
            ret = ssl3_get_client_change(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_SR_FINISHED_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SR_FINISHED_A:
            ret = ssl3_get_client_finished(s);
            if (ret <= 0)
                goto end;
            if (s->hit)
                s->state = SSL_ST_OK;
            else
                s->state = SSL3_ST_SW_CHANGE_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SW_CHANGE_A:
            ret = ssl3_send_server_change(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_SW_FINISHED_A;
            s->init_num = 0;
            break;

        case SSL3_ST_SW_FINISHED_A:
            ret = ssl3_send_server_finished(s);
            if (ret <= 0)
                goto end;
            s->state = SSL3_ST_SW_FLUSH;
#ifdef EARLY /* a mistake: an old connection is taken up without the client's last word */
            s->next_state = SSL_ST_OK;
#else
            if (s->hit)
                s->next_state = SSL3_ST_SR_CHANGE_A;
            else
                s->next_state = SSL_ST_OK;
#endif
            s->init_num = 0;
            break;

        case SSL_ST_OK:
            s->init_num = 0;
            s->renegotiate = 0;
            s->handshakes = s->handshakes + 1;
            ret = 1;
            ssl3_server_info(s, SSL_CB_HANDSHAKE_DONE, 1);
            goto end;

        default:
            ret = -1;
            goto end;
        }

        if (!skip) {
            new_state = s->state;
            if (state != new_state) {
                s->state = state;
                ssl3_server_info(s, SSL_CB_LOOP, 1);
                s->state = new_state;
            }
        }
        skip = 0;
    }

end:
    if (s->in_handshake > 0)
        s->in_handshake = s->in_handshake - 1;
    ssl3_server_info(s, SSL_CB_EXIT, ret);
    return ret;
}
