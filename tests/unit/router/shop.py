"""A hand-made catalog of seven endpoints that the router's tests share."""

from __future__ import annotations

from router import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec

ORDERS = ToolSpec(
    name="orders",
    description="Orders of the web shop.",
    endpoints=(
        EndpointSpec(
            name="find_orders",
            description="List the orders of a customer with their stage.",
            parameters=(
                ParameterSpec(
                    name="customer_id",
                    description="Customer number",
                    required=True,
                    json_schema={"type": "string", "pattern": "^CUS-[0-9]{4}$"},
                    semantic_id="customer.id",
                    identifier=True,
                ),
                ParameterSpec(
                    name="stage",
                    description="Stage of an order",
                    json_schema={"type": "string", "enum": ["open", "packed", "delivered"]},
                ),
            ),
            output_fields=(
                FieldSpec(
                    name="order_id",
                    description="Order number",
                    path=("orders[]", "order_id"),
                    semantic_id="order.id",
                    identifier=True,
                ),
            ),
            read_only=True,
        ),
        EndpointSpec(
            name="cancel_order",
            description="Cancel an order that has not been packed.",
            parameters=(ParameterSpec(name="order_id", description="Order number", required=True),),
            destructive=True,
        ),
        EndpointSpec(name="search", description="Full-text search over notes."),
    ),
)
WAREHOUSE = ToolSpec(
    name="warehouse",
    description="Stock and bins.",
    endpoints=(
        EndpointSpec(
            name="find_bins",
            description="List the bins that hold an article.",
            parameters=(
                ParameterSpec(name="article_id", description="Article number"),
                ParameterSpec(name="min_weight", description="Least weight", unit="kg"),
            ),
        ),
        EndpointSpec(name="book_move", description="Move stock between two bins."),
    ),
)
RETURNS = ToolSpec(
    name="returns",
    description="Parcels that come back.",
    endpoints=(
        EndpointSpec(name="find_orders", description="List the orders with a parcel coming back."),
        EndpointSpec(name="refund", description="Pay a customer back."),
    ),
)
SHOP = (ORDERS, WAREHOUSE, RETURNS)

SCRIPTS = {
    "English": "hold the shipment that weighs more than twelve kilograms",
    "German": "Stornieren Sie die Bestellungen für Größe Übermaß",
    "Spanish": "Cancela la reservación de la habitación del niño",
    "Korean": "고객의 미결 주문을 찾아서 보류해 주세요",
    "Korean without spaces": "고객의미결주문을찾아서보류해주세요",
    "Japanese": "顧客の未処理の注文を探して保留してください",
    "Katakana": "キャンセルポリシー",
    "Han": "查询客户的未完成订单",
    "mixed": "CUS-1042 고객의 open orders 중에서 hold 걸어줘",
    "Russian": "Найди открытые заказы клиента",
    "Greek": "Βρες τις παραγγελίες του πελάτη",
    "Arabic": "ابحث عن الطلبات المفتوحة",
    "Hebrew": "מצא את ההזמנות הפתוחות",
    "Hindi": "ग्राहक के खुले ऑर्डर खोजें",
    "Thai": "ค้นหาคำสั่งซื้อที่เปิดอยู่ของลูกค้า",
}
"""One request a script."""
